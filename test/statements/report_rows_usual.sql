-- $1 isGrouped, $2 spans, $3 grains, $4 froms, $5 tos, $6 account, $7 dimension, $8 values, $9 currencies, $10 limit
SELECT r.span, CASE WHEN $1::boolean THEN b.value END AS value, b.currency, sum(b.authorized_count)::text AS authorized_count, sum(b.authorized_amount)::text AS authorized_amount, sum(b.declined_count)::text AS declined_count, sum(b.declined_amount)::text AS declined_amount, sum(b.failed_count)::text AS failed_count, sum(b.failed_amount)::text AS failed_amount, sum(b.captured_count)::text AS captured_count, sum(b.captured_amount)::text AS captured_amount, sum(b.refunded_count)::text AS refunded_count, sum(b.refunded_amount)::text AS refunded_amount
FROM
unnest($2::int[], $3::text[], $4::timestamptz[], $5::timestamptz[]) AS r (span, grain, starts_at, ends_at)
CROSS JOIN LATERAL (
  SELECT * FROM report_bucket b
  WHERE b.merchant_account_id = $6 AND b.dimension = $7 AND b.grain = r.grain
    AND b.starts_at >= r.starts_at AND b.starts_at < r.ends_at
    AND ($8::text[] IS NULL OR b.value = ANY ($8))
    AND ($9::text[] IS NULL OR b.currency = ANY ($9))
  OFFSET 0) b
GROUP BY 1, 2, 3 ORDER BY 1, 3, 2 LIMIT $10
