import type { Db } from '../../../platform/db.ts';
import { prepare } from '../../../platform/statement.ts';
import type { Choice, Operation } from '../operation.ts';
import type { Transaction } from '../transaction.ts';
import { KEY_EXPIRED, KEY_UNUSED, KEY_WRITTEN, keyValues, type KeyRow } from './key.ts';
import { toColumn, toOperation, toTransaction, type JsonRow } from './row.ts';

/** A payment about to be made: its transaction, and the authorisation that the provider will be asked for. */
export type NewTransaction = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly operationId: string;
  readonly choice: Choice;
  readonly mutation: string;
  readonly key: KeyRow | null;
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly columns: NewColumns;
  /** Null unless a card pays. */
  readonly sealedCard: string | null;
};

/** What is written as it was given, beside the ids and moments. */
const COLUMNS = [
  'intent',
  'amount',
  'currency',
  'country',
  'externalIdentifier',
  'paymentSource',
  'merchantInitiated',
  'isSubsequentPayment',
  'store',
  'installmentCount',
  'threeDSecureAmount',
  'approvalExpiresAt',
  'method',
  'instrumentType',
  'cardScheme',
  'cardBin',
  'cardLastFour',
  'cardExpirationDate',
  'cardFingerprint',
  'buyer',
  'shippingDetails',
  'cartItems',
  'statementDescriptor',
  'metadata',
  'connectionOptions',
  'integrationClient',
  'redirectUrl',
  'antiFraudFingerprint',
  'paymentServiceId',
] as const satisfies readonly (keyof Transaction)[];

export type NewColumns = Pick<Transaction, (typeof COLUMNS)[number]>;

/**
 * Writes the transaction (processing), its pending authorisation and the idempotency key: one statement, one commit.
 * Null when the key was used. Two with one new key at once: the second fails with a unique violation and leaves nothing.
 */
export async function insertTransaction(
  db: Db,
  given: NewTransaction,
): Promise<{ readonly transaction: Transaction; readonly operation: Operation } | null> {
  const columns = Object.fromEntries(COLUMNS.map((field) => [toColumn(field), given.columns[field]]));
  const [row] = await db.query<{ transaction: JsonRow; operation: JsonRow }>(
    STATEMENT({
      account: given.merchantAccountId,
      transaction: given.transactionId,
      operation: given.operationId,
      choice: given.choice,
      now: given.now,
      leaseUntil: given.leaseUntil,
      sealedCard: given.sealedCard,
      columns: JSON.stringify(columns),
      ...keyValues(given.mutation, given.key),
    }),
  );
  return row ? { transaction: toTransaction(row.transaction), operation: toOperation(row.operation) } : null;
}

const NAMES = COLUMNS.map(toColumn);

const STATEMENT = prepare(
  'claim_authorize',
  `
  WITH ${KEY_EXPIRED},
  made AS (
    INSERT INTO transaction (merchant_account_id, id, status, created_at, updated_at, ${NAMES.join(', ')})
    SELECT @account, @transaction::uuid, 'processing', @now::timestamptz, @now::timestamptz, ${NAMES.map((name) => `given.${name}`).join(', ')}
    FROM jsonb_populate_record(NULL::transaction, @columns::jsonb) AS given WHERE ${KEY_UNUSED}
    RETURNING *),
  started AS (
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, amount, currency,
      idempotency_key, sealed_card, lease_until, next_attempt_at, sent_at, created_at, updated_at)
    SELECT merchant_account_id, @operation::uuid, id, payment_service_id, 'authorize', @choice, amount, currency, @key,
      @sealedCard, @leaseUntil::timestamptz, @leaseUntil, @now, @now, @now FROM made
    RETURNING *),
  ${KEY_WRITTEN}
  SELECT row_to_json(m) AS transaction, row_to_json(o) AS operation FROM made m, started o`,
);
