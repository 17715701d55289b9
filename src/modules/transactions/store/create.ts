import type { Db } from '../../../platform/db.ts';
import type { Operation } from '../operation.ts';
import type { Transaction } from '../transaction.ts';
import { keyExpressions, keyValues, type KeyRow } from './claim.ts';
import { toOperation, toTransaction, type JsonRow } from './row.ts';

/** A payment about to be made: its transaction, and the authorisation that the provider will be asked for. */
export type NewTransaction = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly operationId: string;
  readonly mutation: string;
  readonly key: KeyRow | null;
  readonly now: Date;
  readonly leaseUntil: Date;
  /** Columns beside the ids and moments, in snake_case. */
  readonly columns: NewColumns;
  readonly sealedCard: string;
};

export type NewColumns = Pick<
  Transaction,
  | 'intent'
  | 'amount'
  | 'currency'
  | 'country'
  | 'externalIdentifier'
  | 'paymentSource'
  | 'merchantInitiated'
  | 'isSubsequentPayment'
  | 'method'
  | 'instrumentType'
  | 'cardScheme'
  | 'cardBin'
  | 'cardLastFour'
  | 'cardExpirationDate'
  | 'cardFingerprint'
  | 'buyer'
  | 'metadata'
  | 'paymentServiceId'
>;

/**
 * Writes the transaction (processing), its pending authorisation and the idempotency key: one statement, one commit.
 * Null when the key was used. Two with one new key at once: the second fails with a unique violation and leaves nothing.
 */
export async function insertTransaction(
  db: Db,
  given: NewTransaction,
): Promise<{ readonly transaction: Transaction; readonly operation: Operation } | null> {
  const { columns } = given;
  const rows = await db.query<{ transaction: JsonRow; operation: JsonRow }>({
    name: 'claim_authorize',
    text: STATEMENT,
    values: [
      given.merchantAccountId,
      given.transactionId,
      given.operationId,
      given.now,
      given.leaseUntil,
      given.sealedCard,
      ...keyValues(given.mutation, given.key),
      columns.intent,
      columns.amount,
      columns.currency,
      columns.country,
      columns.externalIdentifier,
      columns.paymentSource,
      columns.merchantInitiated,
      columns.isSubsequentPayment,
      columns.method,
      columns.instrumentType,
      columns.cardScheme,
      columns.cardBin,
      columns.cardLastFour,
      columns.cardExpirationDate,
      columns.cardFingerprint,
      columns.buyer && JSON.stringify(columns.buyer),
      columns.metadata && JSON.stringify(columns.metadata),
      columns.paymentServiceId,
    ],
  });
  const [row] = rows;
  return row ? { transaction: toTransaction(row.transaction), operation: toOperation(row.operation) } : null;
}

const key = keyExpressions(7, '$4::timestamptz', 'started');

const STATEMENT = `
  WITH ${key.expired},
  made AS (
    INSERT INTO transaction (merchant_account_id, id, status, created_at, updated_at, intent, amount, currency, country,
      external_identifier, payment_source, merchant_initiated, is_subsequent_payment, method, instrument_type,
      card_scheme, card_bin, card_last_four, card_expiration_date, card_fingerprint, buyer, metadata, payment_service_id)
    SELECT $1::text, $2::uuid, 'processing', $4::timestamptz, $4::timestamptz, $12::text, $13::int, $14::text, $15::text,
      $16::text, $17::text, $18::bool, $19::bool, $20::text, $21::text,
      $22::text, $23::text, $24::text, $25::text, $26::text, $27::jsonb, $28::jsonb, $29::uuid
    WHERE ${key.unused}
    RETURNING *),
  started AS (
    INSERT INTO operation (merchant_account_id, id, transaction_id, kind, amount, currency, idempotency_key, sealed_card,
                           lease_until, next_attempt_at, created_at, updated_at)
    SELECT merchant_account_id, $3::uuid, id, 'authorize', amount, currency, $8, $6::text, $5::timestamptz, $5, $4, $4 FROM made
    RETURNING *),
  ${key.written}
  SELECT row_to_json(m) AS transaction, row_to_json(o) AS operation FROM made m, started o`;
