-- $1 isGrouped, $2 before, $3 dayStarts, $4 account, $5 dimension, $6 values, $7 currencies, $8 sixHoursStarts, $9 hourStarts, $10 quarterStarts, $11 spans, $12 firsts, $13 signs
WITH chosen AS MATERIALIZED (
  SELECT r.span, CASE WHEN $1::boolean THEN b.value END AS value, b.currency, r.sign, b.amount_bins, b.answer_bins FROM
(
  SELECT b.*, ($2::int[])[1] + width_bucket(b.starts_at, $3::timestamptz[]) AS place
  FROM report_histogram b
  WHERE b.merchant_account_id = $4 AND b.dimension = $5 AND b.grain = 'day'
    AND b.starts_at = ANY ($3::timestamptz[]) AND ($6::text[] IS NULL OR b.value = ANY ($6))
    AND ($7::text[] IS NULL OR b.currency = ANY ($7))
  UNION ALL
  SELECT b.*, ($2::int[])[2] + width_bucket(b.starts_at, $8::timestamptz[]) AS place
  FROM report_histogram b
  WHERE b.merchant_account_id = $4 AND b.dimension = $5 AND b.grain = 'six_hours'
    AND b.starts_at = ANY ($8::timestamptz[]) AND ($6::text[] IS NULL OR b.value = ANY ($6))
    AND ($7::text[] IS NULL OR b.currency = ANY ($7))
  UNION ALL
  SELECT b.*, ($2::int[])[3] + width_bucket(b.starts_at, $9::timestamptz[]) AS place
  FROM report_histogram b
  WHERE b.merchant_account_id = $4 AND b.dimension = $5 AND b.grain = 'hour'
    AND b.starts_at = ANY ($9::timestamptz[]) AND ($6::text[] IS NULL OR b.value = ANY ($6))
    AND ($7::text[] IS NULL OR b.currency = ANY ($7))
  UNION ALL
  SELECT b.*, ($2::int[])[4] + width_bucket(b.starts_at, $10::timestamptz[]) AS place
  FROM report_histogram b
  WHERE b.merchant_account_id = $4 AND b.dimension = $5 AND b.grain = 'quarter'
    AND b.starts_at = ANY ($10::timestamptz[]) AND ($6::text[] IS NULL OR b.value = ANY ($6))
    AND ($7::text[] IS NULL OR b.currency = ANY ($7))) b
CROSS JOIN LATERAL unnest(($11::int[])[($12::int[])[b.place]:($12::int[])[b.place + 1] - 1], ($13::int[])[($12::int[])[b.place]:($12::int[])[b.place + 1] - 1]) AS r (span, sign)),
element AS (
  SELECT c.span, c.value, c.currency, c.sign, 'amount' AS kind, unnest(c.amount_bins) AS e FROM chosen c
  UNION ALL
  SELECT c.span, c.value, c.currency, c.sign, 'answer', unnest(c.answer_bins) FROM chosen c),
bin AS (
  SELECT span, value, currency, kind, (e >> 32) AS bin, sum(sign * (e & 4294967295))::float8 AS count
  FROM element GROUP BY 1, 2, 3, 4, 5 HAVING sum(sign * (e & 4294967295)) <> 0),
ranked AS (
  SELECT *, CASE WHEN bin = 0 THEN 0 ELSE round(2 * power(1.02::float8, bin) / (1 + 1.02::float8)) END AS size,
    sum(count) OVER (PARTITION BY span, value, currency, kind ORDER BY bin) AS upto,
    sum(count) OVER (PARTITION BY span, value, currency, kind) AS total
  FROM bin)
SELECT span, value, currency, kind, sum(count) AS count, sum(count * size) / sum(count) AS average, min(size) FILTER (WHERE upto >= 0.5 * total) AS p50, min(size) FILTER (WHERE upto >= 0.9 * total) AS p90, min(size) FILTER (WHERE upto >= 0.95 * total) AS p95, min(size) FILTER (WHERE upto >= 0.99 * total) AS p99
FROM ranked GROUP BY 1, 2, 3, 4
