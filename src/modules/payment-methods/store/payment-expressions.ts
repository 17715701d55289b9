import { envelopeExpression, eventExpressions, momentExpression as moment } from '../../event-log/index.ts';
import { toColumn } from '../../../platform/database/json-row.ts';
import { rowOf } from '../../../platform/database/statement.ts';
import { lifecycle, type PaymentMethod, type PaymentMethodHappening } from '../model/payment-method.ts';

// Parts of the statements that claim and settle a payment. The payment method changes in the same commit.

/** A payment method that a payment stores, with the sealed instrument, the search terms and the event's id. */
export type NewPaymentMethod = {
  readonly paymentMethod: PaymentMethod;
  readonly sealedInstrument: string | null;
  readonly terms: readonly string[];
  readonly eventId: string;
};

/** The stored records that a claim needs: a buyer, a payment method that pays, or a payment method to store. */
export type StoredRows = {
  readonly buyerId: string | null;
  /** The payment method that pays. */
  readonly paymentMethodId: string | null;
  readonly made: NewPaymentMethod | null;
};

/**
 * Locks the records that a claim needs until the commit, so that nobody deletes or pauses them. Parameters:
 * `account` and those of `storedRowValues`.
 */
export const STORED_ROWS_LOCKED = `
  locked_buyer AS (
    SELECT b.id FROM buyer b WHERE b.merchant_account_id = @account AND b.id = @buyer::uuid AND b.deleted_at IS NULL
    FOR SHARE),
  locked_method AS (
    SELECT m.id FROM payment_method m WHERE m.merchant_account_id = @account AND m.id = @method::uuid
      AND m.status IN ('processing', 'succeeded') FOR SHARE)`;

/** True if all needed records exist and are usable. */
export const STORED_ROWS_USABLE = `(@buyer::uuid IS NULL OR EXISTS (SELECT FROM locked_buyer))
  AND (@method::uuid IS NULL OR EXISTS (SELECT FROM locked_method))`;

const COLUMNS = [
  'id',
  'buyerId',
  'method',
  'instrumentType',
  'status',
  'label',
  'scheme',
  'additionalSchemes',
  'bin',
  'lastFour',
  'expirationDate',
  'issuerCountry',
  'bankScheme',
  'fingerprint',
  'externalIdentifier',
  'country',
  'currency',
  'redirectUrl',
] as const satisfies readonly (keyof PaymentMethod)[];
const NAMES = COLUMNS.map(toColumn);

/** Returns the parameters that the parts of a claim use. */
export const storedRowValues = ({ buyerId, paymentMethodId, made }: StoredRows) => ({
  buyer: buyerId,
  method: paymentMethodId,
  newMethod:
    made &&
    JSON.stringify(Object.fromEntries(COLUMNS.map((field) => [toColumn(field), made.paymentMethod[field]]))),
  sealedInstrument: made?.sealedInstrument ?? null,
  terms: JSON.stringify(made?.terms ?? []),
  methodEvent: made?.eventId ?? null,
});

/** The short form of a payment method `m`, equal to the form in `event.ts`, followed by more fields. */
const target = (
  more = '',
): string => `json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
  'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
  'created_at', ${moment('m.created_at')}, 'updated_at', ${moment('m.updated_at')}${more})`;

/**
 * A row of an event about a payment method `m`. Parameters: `now`, `environment` and the parameter of the
 * event's id.
 */
const eventRow = (
  name: string,
  id: string,
  shown = target(),
): string => `m.merchant_account_id, ${id}::uuid AS event_id,
    '${name}' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, @now::timestamptz AS created_at,
    ${envelopeExpression({ id: `${id}::uuid`, name: `'${name}'`, account: 'm.merchant_account_id', target: shown })} AS payload`;

/** Writes the payment method that a payment stores, and its event. `made` names the inserted transaction. */
export const insertedMethod = (made: string): string => `
  created_method AS (
    INSERT INTO payment_method (merchant_account_id, ${NAMES.join(', ')}, sealed_instrument, created_at, updated_at)
    SELECT t.merchant_account_id, ${NAMES.map((name) => `given.${name}`).join(', ')}, @sealedInstrument::text,
      @now::timestamptz, @now::timestamptz
    FROM ${made} t CROSS JOIN jsonb_populate_record(NULL::payment_method, @newMethod::jsonb) AS given
    WHERE @newMethod::jsonb IS NOT NULL RETURNING *),
  created_terms AS (
    INSERT INTO payment_method_term (merchant_account_id, term, payment_method_id)
    SELECT m.merchant_account_id, t.term, m.id
    FROM created_method m CROSS JOIN jsonb_array_elements_text(@terms::jsonb) AS t (term)),
  method_events AS (SELECT ${eventRow('payment-method.created', '@methodEvent')} FROM created_method m),
  ${eventExpressions('method_events', 'method_event')}`;

/** Returns the status after a transition, in SQL. A status without that transition stays. */
function statusAfter(happening: PaymentMethodHappening): string {
  const ways = Object.entries(lifecycle).flatMap(([status, exits]) => {
    const after = (exits as Readonly<Partial<Record<PaymentMethodHappening, string>>>)[happening];
    return after === undefined ? [] : [`WHEN '${status}' THEN '${after}'`];
  });
  return `CASE m.status ${ways.join(' ')} ELSE m.status END`;
}

/** True if the provider told the card behind its own token. `t` is the settled transaction. */
const COMPLETES_CARD = `(m.instrument_type = 'card_token' AND m.last_four IS NULL AND t.card_last_four IS NOT NULL
      AND m.status NOT IN ('deleting', 'deleted'))`;

/**
 * Locks the payment method of a payment. This part comes before the parts that lock the payment's own rows. A claim locks
 * the payment method first, too. Then it may wait for the rows of a payment with its key. So neither waits for the
 * other. Parameters: `account` and those of `settledValues`.
 */
export const METHOD_LOCKED = `
  method_locked AS (
    SELECT m.id FROM payment_method m WHERE m.merchant_account_id = @account AND m.id = @paymentMethod::uuid
    FOR NO KEY UPDATE)`;

/** Reads the locked payment method of a payment and computes its new status. `t` is the settled transaction. */
const before = (
  changed: string,
  {
    after,
    storesSchemeId,
    completesCard,
  }: Readonly<Record<'after' | 'storesSchemeId' | 'completesCard', string>>,
): string => `
  method_before AS (
    SELECT m.merchant_account_id, m.id, m.status, ${after} AS after, ${storesSchemeId} AS stores_scheme_id, t.merchant_initiated,
      ${completesCard} AS completes_card, t.card_scheme, t.card_bin, t.card_last_four, t.card_expiration_date
    FROM ${changed} t
    JOIN payment_method m ON ${rowOf('m', 't', 'payment_method_id')}
    FOR NO KEY UPDATE OF m)`;

const OF_METHOD = rowOf('m', 'b');

const CARD_COMPLETED = ['scheme', 'bin', 'last_four', 'expiration_date']
  .map((column) => `${column} = CASE WHEN b.completes_card THEN b.card_${column} ELSE m.${column} END`)
  .concat('label = CASE WHEN b.completes_card THEN b.card_last_four ELSE m.label END')
  .join(', ');

/** True if the change needs an event. */
const CHANGES = '(b.after <> b.status OR b.stores_scheme_id OR b.completes_card)';

const UPDATED = `SELECT 0 AS ordinal, ${eventRow('payment-method.updated', '@methodEvent')}
  FROM method_settled m JOIN method_before b ON ${OF_METHOD} WHERE ${CHANGES}`;

/**
 * Applies a succeeded payment to its payment method.
 *
 * - Counts the use.
 * - Approves the payment method, if this is the first approved payment.
 * - Stores the scheme's id of the payment, if the payment method has none.
 * - Completes the card of a method that only the provider can read.
 * - Stores the provider's token once, with an event. A new token replaces a disabled one.
 * - Only counts the use of a deleted payment method.
 *
 * `changed` names the settled transaction, and `settled` its authorisation. Parameters: `now`, `environment`
 * and those of `settledValues`.
 */
export const methodSucceeded = (changed: string, settled: string): string => `
  ${before(changed, {
    after: statusAfter('approve'),
    storesSchemeId: `(@schemeTransactionId::text IS NOT NULL AND m.scheme_transaction_id IS NULL AND coalesce(m.scheme, t.card_scheme) IS NOT NULL
      AND m.status NOT IN ('deleting', 'deleted'))`,
    completesCard: COMPLETES_CARD,
  })},
  method_settled AS (
    UPDATE payment_method m SET status = b.after,
      usage_count = m.usage_count + 1, last_used_at = greatest(m.last_used_at, @now::timestamptz),
      cit_usage_count = m.cit_usage_count + (NOT b.merchant_initiated)::int,
      cit_last_used_at = CASE WHEN b.merchant_initiated THEN m.cit_last_used_at
        ELSE greatest(m.cit_last_used_at, @now::timestamptz) END,
      scheme_transaction_id = CASE WHEN b.stores_scheme_id THEN @schemeTransactionId ELSE m.scheme_transaction_id END,
      scheme_transaction_id_scheme = CASE WHEN b.stores_scheme_id THEN coalesce(m.scheme, b.card_scheme) ELSE m.scheme_transaction_id_scheme END,
      ${CARD_COMPLETED},
      scheme_transaction_service_id = CASE WHEN b.stores_scheme_id THEN s.payment_service_id ELSE m.scheme_transaction_service_id END,
      updated_at = CASE WHEN ${CHANGES} THEN @now::timestamptz ELSE m.updated_at END
    FROM method_before b CROSS JOIN ${settled} s WHERE ${OF_METHOD} RETURNING m.*),
  completed_terms AS (
    INSERT INTO payment_method_term (merchant_account_id, term, payment_method_id)
    SELECT DISTINCT m.merchant_account_id, lower(known.term), m.id
    FROM method_settled m JOIN method_before b ON ${OF_METHOD} AND b.completes_card
    CROSS JOIN unnest(ARRAY[m.last_four, m.bin, m.scheme]) AS known (term)
    WHERE known.term IS NOT NULL ON CONFLICT DO NOTHING),
  stored_token AS (
    INSERT INTO payment_method_token AS known (merchant_account_id, id, payment_method_id, payment_service_id, sealed_token,
      token_digest, mandate, status, created_at, updated_at)
    SELECT m.merchant_account_id, @token::uuid, m.id, s.payment_service_id, @sealedToken::text, @tokenDigest::text, false,
      'active', @now::timestamptz, @now::timestamptz
    FROM method_settled m CROSS JOIN ${settled} s
    WHERE @sealedToken::text IS NOT NULL AND m.status NOT IN ('deleting', 'deleted')
    ON CONFLICT (merchant_account_id, payment_method_id, payment_service_id) DO UPDATE SET id = excluded.id,
      sealed_token = excluded.sealed_token, token_digest = excluded.token_digest, mandate = false, status = 'active',
      reported_at = NULL, created_at = excluded.created_at, updated_at = excluded.updated_at
    WHERE known.status = 'disabled' AND known.token_digest IS DISTINCT FROM excluded.token_digest RETURNING known.*),
  method_events AS (SELECT * FROM (${UPDATED} UNION ALL
    SELECT 1, ${eventRow('recurring.token.created', '@tokenEvent', target(`, 'payment_service_id', k.payment_service_id`))}
    FROM method_settled m JOIN stored_token k ON k.merchant_account_id = m.merchant_account_id AND k.payment_method_id = m.id
    ) AS rows ORDER BY ordinal),
  ${eventExpressions('method_events', 'method_event')}`;

/**
 * Applies a failed payment to its payment method. A payment method that this payment stored fails. Others stay
 * unchanged.
 */
export const methodFailed = (changed: string): string => `
  ${before(changed, { after: `CASE WHEN t.store THEN ${statusAfter('fail')} ELSE m.status END`, storesSchemeId: 'false', completesCard: 'false' })},
  method_settled AS (
    UPDATE payment_method m SET status = b.after, updated_at = @now FROM method_before b
    WHERE ${OF_METHOD} AND ${CHANGES} RETURNING m.*),
  method_events AS (${UPDATED}),
  ${eventExpressions('method_events', 'method_event')}`;

/** A provider's token, sealed for its own row, with its keyed digest. */
export type SealedToken = { readonly id: string; readonly sealed: string; readonly digest: string };

/** Returns the parameters that the parts of a settlement use. */
export const settledValues = ({
  paymentMethodId,
  schemeTransactionId,
  token,
  eventIds,
}: {
  readonly paymentMethodId: string | null;
  readonly schemeTransactionId: string | null;
  readonly token: SealedToken | null;
  readonly eventIds: readonly [string, string];
}) => ({
  paymentMethod: paymentMethodId,
  schemeTransactionId,
  token: token?.id ?? null,
  sealedToken: token?.sealed ?? null,
  tokenDigest: token?.digest ?? null,
  methodEvent: eventIds[0],
  tokenEvent: eventIds[1],
});
