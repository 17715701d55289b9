import type { Db } from '../../../platform/database/db.ts';
import type { RedemptionModel } from '../../../platform/generated/prisma/models.ts';
import { rowReader, toColumn, type JsonRow } from '../../../platform/database/json-row.ts';
import { ACTOR, ACTS } from '../../../platform/database/acting.ts';
import { isAmong, prepare, rowOf } from '../../../platform/database/statement.ts';
import { CONNECTION_COLUMNS, type ConnectionRow } from '../../payment-services/index.ts';
import type { Redemption } from '../model/redemption.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { firstUnusedKey, STILL_PENDING } from '../model/fragments.sql.ts';
import { toOperation, toTransaction } from '../model/rows.sql.ts';

/** The columns that a new payment writes for each redemption, beside its ids and times. */
const COLUMNS = [
  'id',
  'ordinal',
  'reversalId',
  'paymentServiceId',
  'giftCardId',
  'bin',
  'subBin',
  'lastFour',
  'amount',
  'status',
  'sealedCard',
] as const satisfies readonly (keyof Redemption)[];

export type NewRedemption = Pick<Redemption, (typeof COLUMNS)[number]>;

const NAMES = COLUMNS.map(toColumn);

/**
 * Makes the part of a claim statement that inserts the redemptions of the payment in `made`. Parameters: now, and those
 * of redemptionValues.
 */
export const redemptionExpressions = (made: string): string => `
  redeemable AS (
    INSERT INTO redemption (merchant_account_id, transaction_id, currency, created_at, updated_at, ${NAMES.join(', ')})
    SELECT m.merchant_account_id, m.id, m.currency, @now::timestamptz, @now::timestamptz,
      ${NAMES.map((name) => `g.${name}`).join(', ')}
    FROM ${made} m CROSS JOIN jsonb_populate_recordset(NULL::redemption, @redemptions::jsonb) AS g)`;

/** Returns the values of the parameters that redemptionExpressions names. */
export const redemptionValues = (redemptions: readonly NewRedemption[]) => ({
  redemptions: JSON.stringify(
    redemptions.map((each) => Object.fromEntries(COLUMNS.map((field) => [toColumn(field), each[field]]))),
  ),
});

const toRedemption = rowReader<RedemptionModel, Redemption>();

const readStatement = prepare(
  'read_redemptions',
  `SELECT row_to_json(r) AS redemption FROM redemption r
   WHERE r.merchant_account_id = @account AND ${isAmong('r.transaction_id', '@transactions::uuid[]')}
   ORDER BY r.transaction_id, r.ordinal`,
);

/** Reads the redemptions of some transactions. Those of each transaction are in order. */
export async function readRedemptions(
  db: Pick<Db, 'query'>,
  merchantAccountId: string,
  transactionIds: readonly string[],
): Promise<readonly Redemption[]> {
  const rows = await db.query<{ redemption: JsonRow }>(
    readStatement({ account: merchantAccountId, transactions: transactionIds }),
  );
  return rows.map(({ redemption }) => toRedemption(redemption));
}

export type NewRedeem = {
  /** The authorisation that follows the redemption. The caller has its lease. */
  readonly operation: Operation;
  readonly redemptionId: string;
  /** The keys that the redemption may have at its provider. Empty without an idempotency key. */
  readonly providerKeys: readonly string[];
  readonly now: Date;
  readonly leaseUntil: Date;
};

/** A redemption that the caller may send, committed as pending. */
export type StartedRedeem = {
  /** The authorisation with a longer lease. */
  readonly authorization: Operation;
  readonly operation: Operation;
  readonly transaction: Transaction;
  /** The version of the transaction after this claim, which touches it. */
  readonly version: string;
  readonly connection: ConnectionRow;
};

const beginStatement = prepare(
  'claim_redeem',
  // Not during a cancel: a redemption that started then would have to be reversed.
  `
  WITH locked AS (
    SELECT t.* FROM transaction t WHERE t.merchant_account_id = @account AND t.id = @transaction
      AND t.status = 'processing' AND NOT t.void_pending FOR NO KEY UPDATE),
  held AS (
    UPDATE operation o SET lease_until = @leaseUntil, next_attempt_at = @leaseUntil, updated_at = @now
    FROM locked l WHERE o.merchant_account_id = @account AND o.id = @operation AND ${STILL_PENDING}
      AND o.unsent AND o.lease_until = @held AND o.attempts = @attempts RETURNING o.*),
  begun AS (
    UPDATE redemption r SET status = 'pending', updated_at = @now FROM held h
    WHERE r.merchant_account_id = h.merchant_account_id AND r.id = @redemption AND r.status = 'created' RETURNING r.*),
  touched AS (UPDATE transaction t SET updated_at = t.updated_at FROM begun b WHERE ${rowOf('t', 'b', 'transaction_id')}),
  started AS (
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency,
      redemption_id, provider_key, actor, lease_until, next_attempt_at, sent_at, created_at, updated_at)
    SELECT b.merchant_account_id, b.id, b.transaction_id, b.payment_service_id, 'redeem', b.amount, b.currency, b.id,
      ${firstUnusedKey('@providerKeys::uuid[]')}, ${ACTOR}::jsonb, @leaseUntil, @leaseUntil, @now, @now, @now FROM begun b RETURNING *)
  SELECT row_to_json(h) AS "authorization", row_to_json(o) AS operation, row_to_json(l) AS transaction,
    pg_current_xact_id()::xid::text AS version, ${CONNECTION_COLUMNS} AS connection
  FROM started o, held h, locked l
  JOIN payment_service s ON s.merchant_account_id = l.merchant_account_id
  WHERE s.id = o.payment_service_id AND ${ACTS}`,
);

/**
 * Starts the redemption of a gift card: writes the pending operation, and extends the lease of the authorisation.
 * Returns null when the payment has ended, is being cancelled, or belongs to another process. Nothing is written then.
 */
export async function beginRedeem(
  db: Db,
  { operation, redemptionId, providerKeys, now, leaseUntil }: NewRedeem,
): Promise<StartedRedeem | null> {
  type Row = Readonly<Record<'authorization' | 'operation' | 'transaction', JsonRow>> & {
    readonly version: string;
    readonly connection: ConnectionRow;
  };
  const [row] = await db.query<Row>(
    beginStatement({
      account: operation.merchantAccountId,
      transaction: operation.transactionId,
      operation: operation.id,
      held: operation.leaseUntil,
      attempts: operation.attempts,
      redemption: redemptionId,
      providerKeys,
      now,
      leaseUntil,
    }),
  );
  return row
    ? {
        authorization: toOperation(row.authorization),
        operation: toOperation(row.operation),
        transaction: toTransaction(row.transaction),
        version: row.version,
        connection: row.connection,
      }
    : null;
}
