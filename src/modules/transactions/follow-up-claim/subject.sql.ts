import { SQLSTATE, sqlState, type Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { StoredKey } from '../rows/read.sql.ts';
import type { AllocatedCapture, Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { toOperation, toTransaction, type JsonRow } from '../rows/rows.sql.ts';

/** A transaction, with everything else that decides about its operations. */
export type StoredSubject = {
  readonly transaction: Transaction;
  /** The definition of its payment service. */
  readonly definitionId: string;
  /** The amount above the authorised amount that the merchant account allows to capture, in minor units. */
  readonly allowance: number;
};

const subjectStatement = prepareFile(import.meta, 'read-transaction-subject.sql');

const keyAndSubject = prepareFile(import.meta, 'read-money-key-and-subject.sql');

/** Reads a transaction with its payment service. Null when the merchant account has no such transaction. */
export async function readSubject(
  db: Db,
  merchantAccountId: string,
  transactionId: string,
): Promise<StoredSubject | null> {
  const [row] = await db.query<SubjectRow>(
    subjectStatement({ account: merchantAccountId, transaction: transactionId }),
  );
  return row ? toSubject(row) : null;
}

export type KeyAndSubject = {
  readonly stored: StoredKey | null;
  /** The operation with one of the provider keys that a restore lost, and that a report booked. */
  readonly booked: Operation | null;
  readonly subject: StoredSubject | null;
};

/**
 * Reads the live record of a key and a transaction in one snapshot. Each is null when the merchant account has none.
 */
export async function readKeyAndSubject(
  db: Db,
  given: {
    readonly account: string;
    readonly mutation: string;
    readonly key: string;
    readonly transaction: string;
    readonly now: Date;
    readonly providerKeys: readonly string[];
  },
): Promise<KeyAndSubject> {
  const [row] = await db.query<KeyAndSubjectRow>(keyAndSubject(given));
  return {
    stored: row && isWhole<StoredKey>(row, 'fingerprint') ? row : null,
    booked: row?.booked ? toOperation(row.booked) : null,
    subject: row && isWhole<SubjectRow>(row, 'transaction') ? toSubject(row) : null,
  };
}

type KeyAndSubjectRow = Nullable<StoredKey> & Nullable<SubjectRow> & { readonly booked: JsonRow | null };

type SubjectRow = Omit<StoredSubject, 'transaction'> & { readonly transaction: JsonRow };

/** The columns of an outer join. They are all null without a row. */
type Nullable<Row> = { readonly [Column in keyof Row]: Row[Column] | null };

/** True if an outer join found its row. `column` is never null in such a row. */
const isWhole = <Row>(row: Nullable<Row>, column: keyof Row): row is Row & Nullable<Row> =>
  row[column] !== null;

const toSubject = ({ transaction, definitionId, allowance }: SubjectRow): StoredSubject => ({
  transaction: toTransaction(transaction),
  definitionId,
  allowance,
});

/** The operations of a payment that are confirmed or under way, and the captures of a new refund. */
export type RefundFacts = {
  readonly operations: readonly Operation[];
  readonly allocated: readonly AllocatedCapture[];
};

const refundFacts = prepareFile(import.meta, 'read-refund-facts.sql');

/** Reads the facts that share a refund out. Null if the captures cannot carry the amount any more. */
export async function readRefundFacts(
  db: Db,
  { merchantAccountId: account, id: transaction }: Transaction,
  amount: number,
): Promise<RefundFacts | null> {
  try {
    const [row] = await db.query<RefundFactsRow>(refundFacts({ account, transaction, amount }));
    return row ? { ...row, operations: row.operations.map(toOperation) } : null;
  } catch (error) {
    // Another refund was claimed since the payment was read.
    if (sqlState(error) === SQLSTATE.raisedException) return null;
    throw error;
  }
}

type RefundFactsRow = Omit<RefundFacts, 'operations'> & { readonly operations: readonly JsonRow[] };
