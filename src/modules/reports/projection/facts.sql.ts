import { rowOf } from '../../../platform/database/statement.ts';
import { binOf, PACKED } from './bins.sql.ts';
import { GRAINS, type GrainLength } from '../cover.ts';
import { MEASURES, sumColumnsOf, WHOLE } from '../measures.ts';
import { BOUGHT } from '../top-buyers.sql.ts';

// A fact is one entry of a sum: a payment, an entry of the ledger, or an authorisation without success. Its time, its amount
// and the dimensions that it has never change. So the projection and a rebuild find the same facts.

/** The dimensions of a payment that its first request fixes. */
const FIXED = `t.method, t.payment_source, t.country,
      t.buyer -> 'billingDetails' -> 'address' ->> 'country' AS buyer_country`;

const SCHEME = `coalesce(t.card_scheme, '')`;
const CARD_COUNTRY = `coalesce(t.card_country, '')`;
const THREE_D_SECURE = `coalesce(t.three_d_secure ->> 'status', 'none')`;

/** The dimensions that the success of an authorisation fixes. */
const DECIDED = `${FIXED}, ${SCHEME} AS scheme, ${CARD_COUNTRY} AS card_country, ${THREE_D_SECURE} AS three_d_secure`;

/** The dimensions of a refusal. After it another service may change the payment, so the operation keeps them then. */
const REFUSED = `${FIXED}, coalesce(o.report_values ->> 'scheme', ${SCHEME}) AS scheme,
      coalesce(o.report_values ->> 'card_country', ${CARD_COUNTRY}) AS card_country,
      coalesce(o.report_values ->> 'three_d_secure', ${THREE_D_SECURE}) AS three_d_secure`;

/** The measure of an entry of the ledger. An entry of a gift card has none. */
const OF_LEDGER = `
  CASE l.kind WHEN 'authorize' THEN 'authorized' WHEN 'increase' THEN 'authorized' WHEN 'capture' THEN 'captured'
    WHEN 'refund' THEN 'refunded' WHEN 'void' THEN 'voided' WHEN 'expire' THEN 'expired'
    WHEN 'capture_reversal' THEN 'capture_reversed' WHEN 'refund_reversal' THEN 'refund_reversed'
    WHEN 'dispute_loss' THEN 'dispute_lost' WHEN 'dispute_loss_reversal' THEN 'dispute_lost' END`;

/**
 * Milliseconds from the sending of an authorisation to its outcome. Null after more than one request, and
 * after a decision that the provider postponed.
 */
const ANSWER_MS = `
  CASE WHEN o.kind = 'authorize' AND o.attempts = 1 AND o.accepted_at IS NULL
    THEN greatest(0, round(extract(epoch FROM o.settled_at - o.sent_at) * 1000))::bigint END`;

/** The facts of the rows of the table expression `given`, which has the columns source, merchant_account_id, id and created_at. */
const facts = `
  fact AS (
    SELECT p.merchant_account_id, p.created_at, 'created' AS measure, 1 AS count, t.amount::bigint AS amount, t.currency,
      NULL AS payment_service, ${FIXED}, NULL AS scheme, NULL AS card_country, NULL AS three_d_secure, NULL AS decline_code,
      NULL::bigint AS authorized, NULL::bigint AS answer_ms, NULL::uuid AS buyer_id
    FROM given p JOIN transaction t ON ${rowOf('t', 'p', 'id')} WHERE p.source = 'transaction'
    UNION ALL
    SELECT p.merchant_account_id, p.created_at, ${OF_LEDGER},
      CASE WHEN l.kind IN ('increase', 'dispute_loss_reversal') THEN 0 ELSE 1 END,
      CASE l.kind WHEN 'dispute_loss_reversal' THEN -l.amount::bigint ELSE l.amount::bigint END, l.currency,
      o.payment_service_id::text, ${DECIDED}, NULL,
      CASE WHEN l.kind = 'authorize' THEN l.amount::bigint END, CASE WHEN l.kind = 'authorize' THEN ${ANSWER_MS} END,
      CASE WHEN l.kind = 'capture' THEN t.buyer_id END
    FROM given p JOIN ledger_entry l ON ${rowOf('l', 'p', 'id')}
    JOIN operation o ON ${rowOf('o', 'l', 'operation_id')} JOIN transaction t ON ${rowOf('t', 'l', 'transaction_id')}
    WHERE p.source = 'ledger_entry'
    UNION ALL
    SELECT p.merchant_account_id, p.created_at, o.status, 1, o.amount::bigint, o.currency, o.payment_service_id::text,
      ${REFUSED}, coalesce(o.error_code, ''), NULL, CASE WHEN o.status = 'declined' THEN ${ANSWER_MS} END, NULL
    FROM given p JOIN operation o ON ${rowOf('o', 'p', 'id')} JOIN transaction t ON ${rowOf('t', 'o', 'transaction_id')}
    WHERE p.source = 'operation')`;

const sumOf = (what: 'count' | 'amount', measure: string): string =>
  `coalesce(sum(f.${what}) FILTER (WHERE f.measure = '${measure}'), 0)::bigint AS ${measure}_${what}`;

/** The columns of the sums, in the order of `SUMS`. */
export const SUM_COLUMNS = sumColumnsOf(MEASURES);

const SUMS = MEASURES.flatMap((measure) => [sumOf('count', measure), sumOf('amount', measure)]).join(
  ',\n      ',
);

/** The columns that name a bucket. */
export const KEY_COLUMNS = [
  ...['merchant_account_id', 'dimension', 'grain', 'starts_at', 'value', 'currency'],
] as const;

const KEYS = KEY_COLUMNS.join(', ');

const binsOf = (kind: string): string => `coalesce(${PACKED} FILTER (WHERE kind = '${kind}'), '{}')`;

/** The columns of the histograms, in the order of `binned`. */
export const BIN_COLUMNS = ['amount_bins', 'answer_bins'] as const;

const startOf = ({ grain, lengthMs }: GrainLength): string =>
  `('${grain}', date_bin('${lengthMs / 60_000} minutes', f.created_at, '2000-01-01Z'))`;

/**
 * The facts of `given` in each of their buckets, with the name `placed`. A dimension that a fact lacks does not count the fact.
 */
const PLACED = `${facts},
  placed AS (
    SELECT f.merchant_account_id, d.dimension, g.grain, g.starts_at, d.value, f.currency, f.measure, f.count, f.amount,
      f.authorized, f.answer_ms
    FROM fact f
    CROSS JOIN LATERAL (VALUES ('${WHOLE}', ''), ('payment_service', f.payment_service), ('method', f.method),
      ('scheme', f.scheme), ('card_country', f.card_country), ('country', coalesce(f.country, '')),
      ('buyer_country', coalesce(f.buyer_country, '')), ('payment_source', f.payment_source), ('three_d_secure', f.three_d_secure), ('decline_code', f.decline_code)
    ) AS d (dimension, value)
    CROSS JOIN LATERAL (VALUES ${GRAINS.map(startOf).join(', ')}) AS g (grain, starts_at)
    WHERE d.value IS NOT NULL AND f.measure IS NOT NULL)`;

/**
 * The facts of `given` as rows of the tables: `summed`, `binned` with the histograms, and `bought` with captures of
 * buyers.
 */
export const SUMMED = `${PLACED},${BOUGHT},
  summed AS (
    SELECT ${KEYS},
      ${SUMS}
    FROM placed f GROUP BY ${KEYS}),
  counted AS (
    SELECT ${KEYS}, m.kind, ${binOf('m.size')} AS bin, count(*) AS count
    FROM placed f CROSS JOIN LATERAL (VALUES ('amount', f.authorized), ('answer', f.answer_ms)) AS m (kind, size)
    WHERE m.size IS NOT NULL GROUP BY ${KEYS}, 7, 8),
  binned AS (
    SELECT ${KEYS}, ${binsOf('amount')} AS amount_bins, ${binsOf('answer')} AS answer_bins
    FROM counted GROUP BY ${KEYS})`;
