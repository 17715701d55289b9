/*
 * Each of these texts compares the reports with the payments of the common table `counted`. Both begin empty together
 * (`state.ts`).
 */

/** The kinds of entries of the ledger, and the columns that sum them. */
const COLUMNS = [
  ...(['authorized', 'captured', 'refunded', 'voided', 'expired'] as const),
  ...(['capture_reversed', 'refund_reversed', 'dispute_lost'] as const),
];

const KINDS: Readonly<Record<(typeof COLUMNS)[number], readonly string[]>> = {
  ...{ authorized: ['authorize', 'increase'], captured: ['capture'], refunded: ['refund'] },
  ...{ voided: ['void'], expired: ['expire'], capture_reversed: ['capture_reversal'] },
  ...{ refund_reversed: ['refund_reversal'], dispute_lost: ['dispute_loss', 'dispute_loss_reversal'] },
};

const SIGNED = `CASE l.kind WHEN 'dispute_loss_reversal' THEN -l.amount ELSE l.amount END`;

const ofLedger = COLUMNS.map((column) => {
  const kinds = KINDS[column].map((kind) => `'${kind}'`).join(', ');
  return `coalesce(sum(${SIGNED}) FILTER (WHERE l.kind IN (${kinds})), 0)`;
});

const OF_COUNTED = `l.merchant_account_id = c.merchant_account_id AND l.transaction_id = c.id`;

/**
 * Lists the sums of reports that differ from the ledger. Each dimension splits the same entries, except the codes of
 * refusals.
 */
export const MISREPORTED = `
  SELECT coalesce(k.merchant, l.merchant) AS merchant, k.dimension, k.grain, coalesce(k.currency, l.currency) AS currency,
    k.sums::text AS kept, l.sums::text AS ledger
  FROM (SELECT merchant_account_id AS merchant, dimension, grain, currency,
      ARRAY[${COLUMNS.map((column) => `sum(${column}_amount)`).join(', ')}]::bigint[] AS sums
    FROM report_bucket WHERE dimension <> 'decline_code' GROUP BY 1, 2, 3, 4) k
  FULL JOIN (SELECT l.merchant_account_id AS merchant, l.currency, ARRAY[${ofLedger.join(', ')}]::bigint[] AS sums
    FROM counted c JOIN ledger_entry l ON ${OF_COUNTED} GROUP BY 1, 2) l USING (merchant, currency)
  WHERE k.sums IS DISTINCT FROM l.sums AND NOT (l.sums IS NULL AND k.sums = array_fill(0::bigint, ARRAY[${COLUMNS.length}]))`;

/** Lists the sums of buyers that differ from the ledger. */
export const MISBOUGHT = `
  SELECT coalesce(k.merchant, l.merchant) AS merchant, coalesce(k.grain, l.grain) AS grain, coalesce(k.currency, l.currency) AS currency,
    coalesce(k.buyer, l.buyer) AS buyer, concat_ws(' of ', k.count, k.total) AS kept, concat_ws(' of ', l.count, l.total) AS ledger
  FROM (SELECT merchant_account_id AS merchant, grain, currency, buyer_id AS buyer, sum(captured_count) AS count,
      sum(captured_amount) AS total FROM report_buyer GROUP BY 1, 2, 3, 4) k
  FULL JOIN (SELECT l.merchant_account_id AS merchant, g.grain, l.currency, t.buyer_id AS buyer, count(*) AS count, sum(l.amount) AS total
    FROM counted t JOIN ledger_entry l ON l.merchant_account_id = t.merchant_account_id AND l.transaction_id = t.id
    CROSS JOIN (VALUES ('day'), ('month'), ('year')) AS g (grain)
    WHERE l.kind = 'capture' AND t.buyer_id IS NOT NULL GROUP BY 1, 2, 3, 4) l USING (merchant, grain, currency, buyer)
  WHERE (k.count, k.total) IS DISTINCT FROM (l.count, l.total)`;

const BUYER_COUNTRY = `coalesce(t.buyer -> 'billingDetails' -> 'address' ->> 'country', '')`;

const COUNTED = ['created', 'declined', 'failed'] as const;

/** A value of a refusal. The operation keeps it when the payment went on at another service, which may change the payment. */
const ofRefusal = (name: string, ofPayment: string): string =>
  `('${name}', coalesce(o.report_values ->> '${name}', ${ofPayment}))`;

/**
 * Lists the counts of payments and refusals that differ from the rows behind them, by each value of each dimension. A refusal has
 * the values of its own time, whenever it was counted.
 */
export const MISCOUNTED = `
  SELECT coalesce(k.merchant, l.merchant) AS merchant, concat_ws(' ', coalesce(k.dimension, l.dimension), coalesce(k.value, l.value)) AS dimension,
    k.grain, coalesce(k.currency, l.currency) AS currency, concat_ws(' of ', coalesce(k.measure, l.measure), k.count, k.total) AS kept,
    concat_ws(' of ', l.count, l.total) AS ledger
  FROM (SELECT b.merchant_account_id AS merchant, b.dimension, b.value, b.grain, b.currency, m.measure, sum(m.count) AS count, sum(m.total) AS total
    FROM report_bucket b CROSS JOIN LATERAL (
      VALUES ${COUNTED.map((measure) => `('${measure}', b.${measure}_count, b.${measure}_amount)`).join(', ')}) AS m (measure, count, total)
    WHERE m.count <> 0 GROUP BY 1, 2, 3, 4, 5, 6) k
  FULL JOIN (SELECT f.merchant, f.dimension, f.value, g.grain, f.currency, f.measure, count(*) AS count, sum(f.amount) AS total
    FROM (
      SELECT t.merchant_account_id AS merchant, d.dimension, d.value, t.currency, 'created' AS measure, t.amount
      FROM counted t CROSS JOIN LATERAL (
        VALUES ('all', ''), ('method', t.method), ('payment_source', t.payment_source), ('country', coalesce(t.country, '')),
          ('buyer_country', ${BUYER_COUNTRY})) AS d (dimension, value)
      UNION ALL
      SELECT o.merchant_account_id, d.dimension, d.value, o.currency, o.status, o.amount
      FROM counted t JOIN operation o ON o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
      CROSS JOIN LATERAL (
        VALUES ('all', ''), ('method', t.method), ('payment_source', t.payment_source), ('country', coalesce(t.country, '')),
          ('buyer_country', ${BUYER_COUNTRY}), ('payment_service', o.payment_service_id::text), ('decline_code', coalesce(o.error_code, '')),
          ${ofRefusal('scheme', "coalesce(t.card_scheme, '')")}, ${ofRefusal('card_country', "coalesce(t.card_country, '')")},
          ${ofRefusal('three_d_secure', "coalesce(t.three_d_secure ->> 'status', 'none')")}) AS d (dimension, value)
      WHERE o.kind = 'authorize' AND o.status IN ('declined', 'failed')) f
    CROSS JOIN (VALUES ('day'), ('six_hours'), ('hour'), ('quarter')) AS g (grain)
    GROUP BY 1, 2, 3, 4, 5, 6) l USING (merchant, dimension, value, grain, currency, measure)
  WHERE (k.count, k.total) IS DISTINCT FROM (l.count, l.total)`;

/** Ends the sums of some histories, so that a judgement does not get slower with each history of its lane. */
export const EMPTY_REPORTS = `
  WITH buckets AS (DELETE FROM report_bucket), histograms AS (DELETE FROM report_histogram)
  DELETE FROM report_buyer`;

const SIZE = `CASE WHEN e >> 32 = 0 THEN 0 ELSE power(1.02, (e >> 32) - 0.5) END`;
const COUNT = `(e & 4294967295)`;

const binned = (column: string): string => `
  SELECT h.merchant_account_id AS merchant, h.dimension, h.grain, h.currency, '${column}' AS bins,
    sum(${COUNT}) AS count, sum(${COUNT} * ${SIZE}) AS total
  FROM report_histogram h, unnest(h.${column}) AS e WHERE h.dimension <> 'decline_code' GROUP BY 1, 2, 3, 4`;

/**
 * Lists the histograms whose counts differ from the authorisations. Each size may differ by 1 % and one unit.
 */
export const MISBINNED = `
  SELECT coalesce(k.merchant, l.merchant) AS merchant, k.dimension, k.grain, coalesce(k.currency, l.currency) AS currency,
    coalesce(k.bins, l.bins) AS bins, concat_ws(' of ', k.count, round(k.total)) AS kept, concat_ws(' of ', l.count, l.total) AS ledger
  FROM (${binned('amount_bins')} UNION ALL ${binned('answer_bins')}) k
  FULL JOIN (
    SELECT l.merchant_account_id AS merchant, l.currency, 'amount_bins' AS bins, count(*) AS count, sum(l.amount) AS total
    FROM counted c JOIN ledger_entry l ON ${OF_COUNTED} WHERE l.kind = 'authorize' GROUP BY 1, 2
    UNION ALL
    SELECT o.merchant_account_id, o.currency, 'answer_bins', count(*),
      sum(greatest(0, round(extract(epoch FROM o.settled_at - o.sent_at) * 1000)))
    FROM counted c JOIN operation o ON o.merchant_account_id = c.merchant_account_id AND o.transaction_id = c.id
    WHERE o.kind = 'authorize' AND o.attempts = 1 AND o.accepted_at IS NULL
      AND (o.status = 'declined' OR EXISTS (SELECT FROM ledger_entry l WHERE l.merchant_account_id = o.merchant_account_id
        AND l.operation_id = o.id AND l.kind = 'authorize'))
    GROUP BY 1, 2) l USING (merchant, currency, bins)
  WHERE k.count IS DISTINCT FROM l.count OR abs(k.total - l.total) > 0.01 * l.total + l.count`;
