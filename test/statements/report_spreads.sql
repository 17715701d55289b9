-- $1 isGrouped, $2 spans, $3 signs, $4 grains, $5 froms, $6 tos, $7 account, $8 dimension, $9 values, $10 currencies
WITH chosen AS MATERIALIZED (
  SELECT r.span, CASE WHEN $1::boolean THEN b.value END AS value, b.currency, r.sign, b.amount_bins, b.answer_bins FROM
unnest($2::int[], $3::int[], $4::text[], $5::timestamptz[], $6::timestamptz[])
  AS r (span, sign, grain, starts_at, ends_at)
CROSS JOIN LATERAL (
  SELECT * FROM report_histogram b
  WHERE b.merchant_account_id = $7 AND b.dimension = $8 AND b.grain = r.grain
    AND b.starts_at >= r.starts_at AND b.starts_at < r.ends_at
    AND ($9::text[] IS NULL OR b.value = ANY ($9))
    AND ($10::text[] IS NULL OR b.currency = ANY ($10))
  OFFSET 0) b),
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
