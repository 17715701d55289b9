import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';
import type { AskedService } from '../model/operation.ts';
import { toTransaction, type JsonRow } from '../model/rows.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import type { ElsewhereKind } from './made-elsewhere.ts';

/** A payment that a provider reports about, as it is now. */
export type ReportedPayment = {
  readonly transaction: Transaction;
  readonly version: string;
  readonly service: AskedService;
  /**
   * True if an operation of the kind has the provider's id, or the id to book, already. A late approval is also settled by
   * its release.
   */
  readonly isBooked: boolean;
  /** True while an operation of the kind with the same money has no known id at the provider. */
  readonly mayBeOurs: boolean;
  /** True while an operation of the kind has the provider's id and no outcome. It may have got the id since the match. */
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
  /** Minor units. Null if the report names no amount. */
  readonly amount: number | null;
};

/** Condition: operation `o` of the payment is of the reported kind. A payment is released by a void or a cancel. */
const OF_KIND = `o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
  AND o.payment_service_id = s.id AND (o.kind = @kind OR (@kind = 'void' AND o.kind = 'cancel'))`;

// Our own key stands in for an id that nobody knew.
const HAS_NO_ID = `(o.provider_reference IS NULL OR o.provider_reference IN (o.id::text, o.provider_key::text))`;

/** Condition: the late approval is being released, or was. */
const IS_RELEASED = `(@kind = 'authorize' AND EXISTS (SELECT FROM operation o
  WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id AND o.payment_service_id = s.id
    AND o.kind = 'release' AND o.provider_reference = @reference))`;

const PAYMENT = `
  SELECT row_to_json(t) AS transaction, t.xmin::text AS version,
    json_build_object('id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id) AS service,
    EXISTS (SELECT FROM operation o WHERE ${OF_KIND} AND o.status = 'succeeded'
      AND (o.provider_reference = @reference OR o.id = @operation)) OR ${IS_RELEASED} AS "isBooked",
    EXISTS (SELECT FROM operation o WHERE ${OF_KIND} AND o.status IN ('pending', 'succeeded') AND NOT o.unsent
      AND ${HAS_NO_ID} AND (o.amount = @amount::int OR @amount::int IS NULL AND o.status = 'pending')) AS "mayBeOurs",
    EXISTS (SELECT FROM operation o WHERE ${OF_KIND} AND o.status = 'pending' AND NOT o.unsent
      AND o.provider_reference = @reference) AS "isOurs"
  FROM transaction t
  JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = @service
  WHERE t.merchant_account_id = @account AND t.id = @transaction`;

const readStatement = prepare('read_reported_payment', PAYMENT);
const lockStatement = prepare('lock_reported_payment', `${PAYMENT} FOR NO KEY UPDATE OF t`);

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
