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

/**
 * Compares what a provider really did with what a database at rest says of it. Every payment in the database must be of
 * this provider alone, which decides at once, and none of them cancelled. Answers each difference as a sentence; none when
 * columns, ledger and books agree, each change was told once, and nothing is left under way.
 */
export async function judge(provider: Books, databaseUrl: string): Promise<readonly string[]> {
  const accounts = readAccounts(provider);
  const [operations, transactions, rest] = await Promise.all([
    query<OperationRow>(databaseUrl, OPERATIONS),
    query<TransactionRow>(databaseUrl, TRANSACTIONS),
    query<{ said: string }>(databaseUrl, LOOSE_ENDS),
  ]);
  return [
    ...judgeAccounts(accounts),
    ...judgeRequests(provider),
    ...judgeOperations(provider, operations),
    ...transactions.flatMap((row) => judgeTransaction(row, accounts.get(row.reference ?? ''))),
    ...rest.map(({ said }) => said),
  ];
}

type OperationRow = {
  readonly id: string;
  readonly kind: string;
  readonly status: string;
  readonly amount: number;
};

const OPERATIONS = 'SELECT id, kind, status, amount FROM operation';

/** What its own columns and the ledger say, by the same names as in an account. */
type TransactionRow = {
  readonly id: string;
  readonly reference: string | null;
  readonly columns: Account;
  readonly ledger: Account;
};

const sums = (table: string, where: string): string => `
  (SELECT json_build_object(
     'authorized', coalesce(sum(amount) FILTER (WHERE kind = 'authorize'), 0),
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

/** One transaction, by the columns and by the ledger; `reference` is the provider's id of it. */
export async function readEntries(databaseUrl: string, id: string): Promise<TransactionRow> {
  const [row] = await query<TransactionRow>(databaseUrl, `${TRANSACTIONS} WHERE t.id = $1`, [id]);
  if (!row) throw new Error(`There is no transaction ${id}.`);
  return row;
}

/**
 * Waits until nothing is under way and every event is in the feed, and answers how many milliseconds that took. Gives up
 * after the limit without a word: the judge says what is left.
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
  + (SELECT count(*) FROM event_pending)::int AS left`;

/** Every key stands for one request; only the security code is left out of a repeat. */
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

/** Both ways: what we call a success the provider has done, and what it has done we call a success. */
function judgeOperations({ books }: Books, operations: readonly OperationRow[]): string[] {
  const ours = new Map(operations.map((operation) => [operation.id, operation]));
  const unknown = [...books].filter(([key, { result }]) => result === 'approved' && !ours.has(key));
  return [
    ...unknown.map(([key]) => `operations: nothing is known of ${key}, which the provider has done`),
    ...operations.flatMap(({ id, kind, status, amount }) => {
      const reply = books.get(id);
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
