-- $1 isGrouped, $2 spans, $3 grains, $4 froms, $5 tos, $6 account, $7 dimension, $8 values, $9 currencies
WITH chosen AS MATERIALIZED (
  SELECT r.span, CASE WHEN $1::boolean THEN b.value END AS value, b.currency, b.amount_bins, b.answer_bins FROM
unnest($2::int[], $3::text[], $4::timestamptz[], $5::timestamptz[]) AS r (span, grain, starts_at, ends_at)
CROSS JOIN LATERAL (
  SELECT * FROM report_histogram b
  WHERE b.merchant_account_id = $6 AND b.dimension = $7 AND b.grain = r.grain
    AND b.starts_at >= r.starts_at AND b.starts_at < r.ends_at
    AND ($8::text[] IS NULL OR b.value = ANY ($8))
    AND ($9::text[] IS NULL OR b.currency = ANY ($9))
  OFFSET 0) b),
element AS (
  SELECT c.span, c.value, c.currency, 'amount' AS kind, unnest(c.amount_bins) AS e FROM chosen c
  UNION ALL
  SELECT c.span, c.value, c.currency, 'answer', unnest(c.answer_bins) FROM chosen c),
bin AS (
  SELECT span, value, currency, kind, (e >> 32) AS bin, sum((e & 4294967295))::float8 AS count
  FROM element GROUP BY 1, 2, 3, 4, 5),
ranked AS (
  SELECT *, CASE WHEN bin = 0 THEN 0 ELSE round(2 * power(1.02::float8, bin) / (1 + 1.02::float8)) END AS size,
    sum(count) OVER (PARTITION BY span, value, currency, kind ORDER BY bin) AS upto,
    sum(count) OVER (PARTITION BY span, value, currency, kind) AS total
  FROM bin)
SELECT span, value, currency, kind, sum(count) AS count, sum(count * size) / sum(count) AS average, min(size) FILTER (WHERE upto >= 0.5 * total) AS p50, min(size) FILTER (WHERE upto >= 0.9 * total) AS p90, min(size) FILTER (WHERE upto >= 0.95 * total) AS p95, min(size) FILTER (WHERE upto >= 0.99 * total) AS p99
FROM ranked GROUP BY 1, 2, 3, 4
