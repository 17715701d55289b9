-- $1 isGrouped, $2 spans, $3 signs, $4 grains, $5 froms, $6 tos, $7 account, $8 dimension, $9 values, $10 currencies, $11 limit
SELECT r.span, CASE WHEN $1::boolean THEN b.value END AS value, b.currency, sum(r.sign * b.created_count)::text AS created_count, sum(r.sign * b.created_amount)::text AS created_amount, sum(r.sign * b.authorized_count)::text AS authorized_count, sum(r.sign * b.authorized_amount)::text AS authorized_amount, sum(r.sign * b.declined_count)::text AS declined_count, sum(r.sign * b.declined_amount)::text AS declined_amount, sum(r.sign * b.failed_count)::text AS failed_count, sum(r.sign * b.failed_amount)::text AS failed_amount, sum(r.sign * b.captured_count)::text AS captured_count, sum(r.sign * b.captured_amount)::text AS captured_amount, sum(r.sign * b.refunded_count)::text AS refunded_count, sum(r.sign * b.refunded_amount)::text AS refunded_amount, sum(r.sign * b.voided_count)::text AS voided_count, sum(r.sign * b.voided_amount)::text AS voided_amount
FROM
unnest($2::int[], $3::int[], $4::text[], $5::timestamptz[], $6::timestamptz[])
  AS r (span, sign, grain, starts_at, ends_at)
CROSS JOIN LATERAL (
  SELECT * FROM report_bucket b
  WHERE b.merchant_account_id = $7 AND b.dimension = $8 AND b.grain = r.grain
    AND b.starts_at >= r.starts_at AND b.starts_at < r.ends_at
    AND ($9::text[] IS NULL OR b.value = ANY ($9))
    AND ($10::text[] IS NULL OR b.currency = ANY ($10))
  OFFSET 0) b
GROUP BY 1, 2, 3 HAVING sum(r.sign * (b.created_count + b.authorized_count + b.captured_count + b.refunded_count + b.voided_count + b.expired_count + b.declined_count + b.failed_count + b.capture_reversed_count + b.refund_reversed_count + b.dispute_lost_count)) <> 0 OR sum(r.sign * b.authorized_amount) <> 0 OR sum(r.sign * b.dispute_lost_amount) <> 0 ORDER BY 1, 3, 2 LIMIT $11
