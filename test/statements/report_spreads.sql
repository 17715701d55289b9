-- $1 interval, $2 from, $3 timeZone, $4 isGrouped, $5 account, $6 dimension, $7 grain, $8 to, $9 values, $10 currencies
WITH chosen AS MATERIALIZED (
  SELECT CASE
    WHEN $1::text IS NULL THEN $2::timestamptz
    WHEN $1 = 'quarter_hour' THEN b.starts_at
    ELSE date_trunc($1, b.starts_at, $3) END AS starts_at,
  CASE WHEN $4::boolean THEN b.value END AS value, b.currency, b.amount_bins, b.answer_bins FROM report_histogram b WHERE b.merchant_account_id = $5 AND b.dimension = $6 AND b.grain = $7
  AND b.starts_at >= $2 AND b.starts_at < $8
  AND ($9::text[] IS NULL OR b.value = ANY ($9))
  AND ($10::text[] IS NULL OR b.currency = ANY ($10))),
element AS (
  SELECT c.starts_at, c.value, c.currency, 'amount' AS kind, unnest(c.amount_bins) AS e FROM chosen c
  UNION ALL
  SELECT c.starts_at, c.value, c.currency, 'answer', unnest(c.answer_bins) FROM chosen c),
bin AS (
  SELECT starts_at, value, currency, kind, (e >> 32) AS bin, sum((e & 4294967295))::float8 AS count
  FROM element GROUP BY 1, 2, 3, 4, 5),
ranked AS (
  SELECT *, CASE WHEN bin = 0 THEN 0 ELSE round(2 * power(1.02::float8, bin) / (1 + 1.02::float8)) END AS size,
    sum(count) OVER (PARTITION BY starts_at, value, currency, kind ORDER BY bin) AS upto,
    sum(count) OVER (PARTITION BY starts_at, value, currency, kind) AS total
  FROM bin)
SELECT starts_at, value, currency, kind, sum(count) AS count, sum(count * size) / sum(count) AS average, min(size) FILTER (WHERE upto >= 0.5 * total) AS p50, min(size) FILTER (WHERE upto >= 0.9 * total) AS p90, min(size) FILTER (WHERE upto >= 0.95 * total) AS p95, min(size) FILTER (WHERE upto >= 0.99 * total) AS p99
FROM ranked GROUP BY 1, 2, 3, 4
