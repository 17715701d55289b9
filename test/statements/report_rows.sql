-- $1 interval, $2 from, $3 timeZone, $4 isGrouped, $5 account, $6 dimension, $7 grain, $8 to, $9 values, $10 currencies, $11 limit
SELECT CASE
    WHEN $1::text IS NULL THEN $2::timestamptz
    WHEN $1 = 'quarter_hour' THEN b.starts_at
    ELSE date_trunc($1, b.starts_at, $3) END AS starts_at,
  CASE WHEN $4::boolean THEN b.value END AS value, b.currency, sum(b.created_count)::float8 AS created_count, sum(b.created_amount)::float8 AS created_amount, sum(b.authorized_count)::float8 AS authorized_count, sum(b.authorized_amount)::float8 AS authorized_amount, sum(b.captured_count)::float8 AS captured_count, sum(b.captured_amount)::float8 AS captured_amount, sum(b.refunded_count)::float8 AS refunded_count, sum(b.refunded_amount)::float8 AS refunded_amount, sum(b.voided_count)::float8 AS voided_count, sum(b.voided_amount)::float8 AS voided_amount, sum(b.expired_count)::float8 AS expired_count, sum(b.expired_amount)::float8 AS expired_amount, sum(b.declined_count)::float8 AS declined_count, sum(b.declined_amount)::float8 AS declined_amount, sum(b.failed_count)::float8 AS failed_count, sum(b.failed_amount)::float8 AS failed_amount, sum(b.capture_reversed_count)::float8 AS capture_reversed_count, sum(b.capture_reversed_amount)::float8 AS capture_reversed_amount, sum(b.refund_reversed_count)::float8 AS refund_reversed_count, sum(b.refund_reversed_amount)::float8 AS refund_reversed_amount, sum(b.dispute_lost_count)::float8 AS dispute_lost_count, sum(b.dispute_lost_amount)::float8 AS dispute_lost_amount
FROM report_bucket b
WHERE b.merchant_account_id = $5 AND b.dimension = $6 AND b.grain = $7
  AND b.starts_at >= $2 AND b.starts_at < $8
  AND ($9::text[] IS NULL OR b.value = ANY ($9))
  AND ($10::text[] IS NULL OR b.currency = ANY ($10))
GROUP BY 1, 2, 3 ORDER BY 1, 3, 2 LIMIT $11
