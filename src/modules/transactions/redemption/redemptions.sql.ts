import type { Db } from '../../../platform/database/db.ts';
import type { RedemptionModel } from '../../../platform/generated/prisma/models.ts';
import { rowReader, toColumn, type JsonRow } from '../../../platform/database/json-row.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { ConnectionRow } from '../../payment-services/index.ts';
import type { Redemption } from '../model/redemption.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { toOperation, toTransaction } from '../rows/rows.sql.ts';

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

const readStatement = prepareFile(import.meta, 'read-redemptions.sql');

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

const beginStatement = prepareFile(import.meta, 'claim-redeem.sql');

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
