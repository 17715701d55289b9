import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { AskedService } from '../model/operation.ts';
import { toTransaction, type JsonRow } from '../rows/rows.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import type { ElsewhereKind } from './made-elsewhere.ts';

/** A payment that a provider reports about, as it is now. */
export type ReportedPayment = {
  readonly transaction: Transaction;
  readonly version: string;
  readonly service: AskedService;
  /**
   * True if an operation of the kind has the provider's id, the id to book, or the lost key already. A late approval is also
   * settled by its release.
   */
  readonly isBooked: boolean;
  /** True while an operation of the kind with the same money has no known id at the provider. */
  readonly mayBeOurs: boolean;
  /** True while an operation of the kind has the provider's id or the lost key, and no outcome. It may have begun since the match. */
  readonly isOurs: boolean;
};

export type ReportedId = {
  readonly account: string;
  readonly transaction: string;
  readonly service: string;
  readonly kind: ElsewhereKind;
  readonly reference: string | null;
  /** The id of the operation to book. */
  readonly operation: string;
  /** Our key of the operation that a restore lost. A repeat may have made the operation again. Null without such a key. */
  readonly lostKey: string | null;
  /** Minor units. Null if the report names no amount. */
  readonly amount: number | null;
};

const readStatement = prepareFile(import.meta, 'read-reported-payment.sql');
const lockStatement = prepareFile(import.meta, 'lock-reported-payment.sql');

type Row = Omit<ReportedPayment, 'transaction'> & { readonly transaction: JsonRow };

/** Reads the payment. Null if the merchant account has no such payment or payment service. */
export const readReported = async (db: Pick<Db, 'query'>, id: ReportedId): Promise<ReportedPayment | null> =>
  toReported(await db.query<Row>(readStatement(id)));

/** Reads the payment, and locks the payment until the end of the database transaction. */
export async function lockReported(db: Pick<Db, 'query'>, id: ReportedId): Promise<ReportedPayment | null> {
  // The conditions on operations are read before the lock. So the row is locked first, and then read.
  await db.query<Row>(lockStatement(id));
  return toReported(await db.query<Row>(readStatement(id)));
}

const toReported = ([row]: readonly Row[]): ReportedPayment | null =>
  row ? { ...row, transaction: toTransaction(row.transaction) } : null;
