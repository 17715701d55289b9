import { readRows, readRowsOfEach } from '../../../platform/database/column-set.ts';
import type { Db } from '../../../platform/database/db.ts';
import { hidden, isAmong, prepare, prepareFile, rowOf } from '../../../platform/database/statement.ts';
import { TRANSACTION_COLUMNS, type TransactionColumns } from './columns.sql.ts';
import { asAnswered } from './answer.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { toOperation, toTransaction, type JsonRow } from './rows.sql.ts';

const readMany = (columns: TransactionColumns) =>
  prepare(
    `read_transactions_${columns}`,
    `SELECT ${TRANSACTION_COLUMNS[columns].select('t')} FROM transaction t
     WHERE t.merchant_account_id = @account AND ${isAmong('t.id', '@ids::uuid[]')}`,
  );

const readManyStatements = {
  core: readMany('core'),
  brief: readMany('brief'),
  line: readMany('line'),
  whole: readMany('whole'),
};

/**
 * Reads transactions of one merchant account, in no order, by default with every field. Leaves out ids that the account
 * lacks.
 */
export async function readTransactions(
  db: Db,
  account: string,
  ids: readonly string[],
  columns: TransactionColumns = 'whole',
): Promise<readonly Transaction[]> {
  return await readRows(db, readManyStatements[columns]({ account, ids }), TRANSACTION_COLUMNS[columns]);
}

/** The columns of the transactions of a payment link. */
export type OfLinksColumns = 'core' | 'whole';

const ofLinks = (columns: OfLinksColumns) =>
  prepare(
    `read_transactions_of_links_${columns}`,
    `SELECT wanted.ordinal::int, t.*
     FROM unnest(${hidden('@links::uuid[]')}) WITH ORDINALITY AS wanted (payment_link_id, ordinal)
     CROSS JOIN LATERAL (
       SELECT ${TRANSACTION_COLUMNS[columns].select('t')} FROM transaction t
       WHERE t.merchant_account_id = @account AND t.payment_link_id = wanted.payment_link_id
       ORDER BY t.id DESC LIMIT @limit) t`,
  );

const readOfLinks = { core: ofLinks('core'), whole: ofLinks('whole') };

/**
 * Reads the transactions that pay some payment links, newest first. Returns at most `limit` for each link, in the order of the
 * links.
 */
export async function readTransactionsOfLinks(
  db: Db,
  account: string,
  links: readonly string[],
  { columns, limit }: { readonly columns: OfLinksColumns; readonly limit: number },
): Promise<readonly (readonly Transaction[])[]> {
  const statement = readOfLinks[columns]({ account, links, limit });
  return await readRowsOfEach(db, statement, TRANSACTION_COLUMNS[columns], links.length);
}

/** An operation with its transaction, the transaction's version, and its payment service. */
export type StoredOperation = {
  readonly operation: Operation;
  readonly transaction: Transaction;
  readonly version: string;
  readonly connection: { readonly id: string; readonly displayName: string; readonly definitionId: string };
};

const readStatement = prepareFile(import.meta, 'read-operation.sql');

const lockStatement = prepareFile(import.meta, 'lock-operation.sql');

type OperationRow = Omit<StoredOperation, 'operation' | 'transaction'> &
  Readonly<Record<'operation' | 'transaction', JsonRow>>;

/** Reads an operation and its transaction as they are now. Null when the account has no such operation. */
export const readOperation = async (
  db: Pick<Db, 'query'>,
  account: string,
  operation: string,
): Promise<StoredOperation | null> =>
  toStored(await db.query<OperationRow>(readStatement({ account, operation })));

/** Reads an operation and its transaction, and locks both until the end of the database transaction. */
export const lockOperation = async (
  db: Pick<Db, 'query'>,
  account: string,
  operation: string,
): Promise<StoredOperation | null> =>
  toStored(await db.query<OperationRow>(lockStatement({ account, operation })));

const toStored = ([row]: readonly OperationRow[]): StoredOperation | null =>
  row ? { ...row, operation: toOperation(row.operation), transaction: toTransaction(row.transaction) } : null;

/** The record of an idempotency key, with the operation that it started. */
export type StoredKey = {
  readonly fingerprint: string;
  readonly digests: string;
  readonly resourceId: string;
  /** JSON text of { operation, transaction }, as rows, and of the answer that they had then. Null until the operation is settled. */
  readonly result: string | null;
  readonly leaseUntil: Date | null;
  /** True when the outcome is unknown and the request that made the operation has ended. */
  readonly isUnknown: boolean;
};

/** The present rows of an ended operation and its transaction, with the answer of then. A record from before has its copies. */
const ANSWERED = `CASE WHEN o.answer IS NOT NULL THEN (
    SELECT json_build_object('operation', row_to_json(o), 'transaction', row_to_json(t), 'answer', o.answer)::text
    FROM transaction t WHERE ${rowOf('t', 'o', 'transaction_id')}) END`;

/** The columns of a StoredKey, from the record `k` of a key and its operation `o`. */
export const KEY_COLUMNS = `k.fingerprint, k.digests, k.resource_id AS "resourceId", coalesce(k.result, ${ANSWERED}) AS result, o.lease_until AS "leaseUntil",
  o.unknown_at IS NOT NULL AS "isUnknown"`;

const keyStatement = prepareFile(import.meta, 'read-money-key.sql');

/** Reads the live record of a key. Null when the key is new or has expired. */
export async function readKey(
  db: Db,
  merchantAccountId: string,
  mutation: string,
  key: string,
  now: Date,
): Promise<StoredKey | null> {
  const [row] = await db.query<StoredKey>(keyStatement({ account: merchantAccountId, mutation, key, now }));
  return row ?? null;
}

/** Parses the stored result of a key. `asOf` is the moment of the result. */
export function parseResult(result: string): {
  readonly operation: Operation;
  readonly transaction: Transaction;
  readonly asOf: Date;
} {
  const rows = JSON.parse(result) as { operation: JsonRow; transaction: JsonRow; answer?: string };
  const read = { operation: toOperation(rows.operation), transaction: toTransaction(rows.transaction) };
  const { operation, transaction } = rows.answer === undefined ? read : asAnswered(read, rows.answer);
  const isLater = operation.updatedAt > transaction.updatedAt;
  return { operation, transaction, asOf: isLater ? operation.updatedAt : transaction.updatedAt };
}
