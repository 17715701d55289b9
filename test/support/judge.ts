import { setTimeout as delay } from 'node:timers/promises';
import {
  EMPTY_ACCOUNT,
  firstRequests,
  judgeAccounts,
  readAccounts,
  type Account,
  type Books,
} from './books.ts';
import { query } from './database.ts';
import { LOOSE_ENDS } from './loose-ends.ts';
import { COUNT_WAITING } from './waiting-events.ts';

/**
 * Compares the real effects at a provider with the state of a database at rest. Returns each difference as a
 * sentence.
 *
 * All payments in the database must belong to this provider. The provider must decide at once and cancel none. The
 * list is empty under these conditions:
 *
 * - Columns, ledger and books agree.
 * - Each change was published once.
 * - No operation is pending.
 */
export async function judge(provider: Books, databaseUrl: string): Promise<readonly string[]> {
  const accounts = readAccounts(provider);
  const [operations, transactions, rest] = await Promise.all([
    query<OperationRow>(databaseUrl, OPERATIONS),
    query<TransactionRow>(databaseUrl, TRANSACTIONS),
    query<{ finding: string }>(databaseUrl, LOOSE_ENDS),
  ]);
  return [
    ...judgeAccounts(accounts),
    ...judgeRequests(provider),
    ...judgeOperations(provider, operations),
    ...transactions.flatMap((row) => judgeTransaction(row, accounts.get(row.reference ?? ''))),
    ...rest.map(({ finding }) => finding),
  ];
}

type OperationRow = {
  readonly id: string;
  /** The key of the operation at its provider. */
  readonly key: string;
  readonly kind: string;
  readonly status: string;
  readonly amount: number;
};

const OPERATIONS = 'SELECT id, coalesce(provider_key, id) AS key, kind, status, amount FROM operation';

/** The amounts in the transaction's columns and in the ledger, named as in an account. */
type TransactionRow = {
  readonly id: string;
  readonly reference: string | null;
  readonly columns: Account;
  readonly ledger: Account;
};

const sums = (table: string, where: string): string => `
  (SELECT json_build_object(
     'authorized', coalesce(sum(amount) FILTER (WHERE kind IN ('authorize', 'increase')), 0),
     'captured', coalesce(sum(amount) FILTER (WHERE kind = 'capture'), 0),
     'refunded', coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0),
     'voids', count(*) FILTER (WHERE kind = 'void'))
   FROM ${table} x WHERE x.transaction_id = t.id AND ${where})`;

const TRANSACTIONS = `
  SELECT t.id, t.payment_service_transaction_id AS reference,
    json_build_object('authorized', t.authorized_amount, 'captured', t.captured_amount, 'refunded', t.refunded_amount,
      'voids', CASE WHEN t.status = 'authorization_voided' THEN 1 ELSE 0 END) AS columns,
    ${sums('ledger_entry', 'true')} AS ledger
  FROM transaction t`;

/** Reads the columns and the ledger of one transaction. `reference` is the provider's id of the transaction. */
export async function readEntries(databaseUrl: string, id: string): Promise<TransactionRow> {
  const [row] = await query<TransactionRow>(databaseUrl, `${TRANSACTIONS} WHERE t.id = $1`, [id]);
  if (!row) throw new Error(`There is no transaction ${id}.`);
  return row;
}

/**
 * Waits until no operation is pending and every event is in the feed. Returns the duration in milliseconds. After the
 * limit the wait ends silently, and the judge lists the remains.
 */
export async function waitForRest(databaseUrl: string, limitMs: number): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    const [row] = await query<{ left: number }>(databaseUrl, UNDER_WAY);
    const tookMs = Math.round(performance.now() - startedAt);
    if (row?.left === 0 || tookMs > limitMs) return tookMs;
    await delay(100);
  }
}

const UNDER_WAY = `SELECT (SELECT count(*) FROM operation WHERE status = 'pending')::int
  + (${COUNT_WAITING}) AS left`;

/** Checks that every key stands for one request. Repeats may differ only in the security code. */
function judgeRequests(provider: Books): string[] {
  const first = firstRequests(provider);
  const same = ({ card, ...request }: Books['calls'][number]): string =>
    JSON.stringify({ ...request, card: card && { ...card, cvv: null } });
  return provider.calls.flatMap((call) => {
    const before = first.get(call.idempotency_key);
    return call.operation === 'status' || !before || same(before) === same(call)
      ? []
      : [`requests: ${call.idempotency_key} was sent twice with different contents`];
  });
}

/**
 * Checks both directions: each recorded success is in the provider's books, and each effect there is recorded as a
 * success.
 */
function judgeOperations({ books }: Books, operations: readonly OperationRow[]): string[] {
  const ours = new Map(operations.map((operation) => [operation.key, operation]));
  const unknown = [...books].filter(([key, { result }]) => result === 'approved' && !ours.has(key));
  return [
    ...unknown.map(([key]) => `operations: nothing is known of ${key}, which the provider has done`),
    ...operations.flatMap(({ id, key, kind, status, amount }) => {
      const reply = books.get(key);
      const done = reply?.result === 'approved';
      if (done !== (status === 'succeeded'))
        return [`operations: ${kind} ${id} is ${status}, the provider says ${reply?.result ?? 'nothing'}`];
      return done && reply.amount !== amount
        ? [`operations: ${kind} ${id} is of ${amount}, the provider has moved ${reply.amount}`]
        : [];
    }),
  ];
}

function judgeTransaction(
  { id, columns, ledger }: TransactionRow,
  account: Account = EMPTY_ACCOUNT,
): string[] {
  const [inColumns, inLedger, inBooks] = [columns, ledger, account].map((each) => describe(each));
  return inColumns === inLedger && inLedger === inBooks
    ? []
    : [`transaction ${id}: columns ${inColumns}, ledger ${inLedger}, books ${inBooks}`];
}

const describe = ({ authorized, captured, refunded, voids }: Account): string =>
  `${authorized}/${captured}/${refunded}/${voids}`;
