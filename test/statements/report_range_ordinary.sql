-- $1 first, $2 seconds, $3 isGrouped, $4 account, $5 dimension, $6 grain, $7 from, $8 to, $9 values, $10 currencies, $11 limit
SELECT ((date_part('epoch', b.starts_at) - $1::float8) / $2::float8)::int AS span,
  CASE WHEN $3::boolean THEN b.value END AS value, b.currency, b.created_count::text AS created_count, b.created_amount::text AS created_amount, b.authorized_count::text AS authorized_count, b.authorized_amount::text AS authorized_amount, b.declined_count::text AS declined_count, b.declined_amount::text AS declined_amount, b.failed_count::text AS failed_count, b.failed_amount::text AS failed_amount, b.captured_count::text AS captured_count, b.captured_amount::text AS captured_amount, b.refunded_count::text AS refunded_count, b.refunded_amount::text AS refunded_amount, b.voided_count::text AS voided_count, b.voided_amount::text AS voided_amount
FROM report_bucket b
WHERE b.merchant_account_id = $4 AND b.dimension = $5 AND b.grain = $6
  AND b.starts_at >= $7 AND b.starts_at < $8
  AND ($9::text[] IS NULL OR b.value = ANY ($9))
    AND ($10::text[] IS NULL OR b.currency = ANY ($10))
ORDER BY b.starts_at, b.currency, b.value LIMIT $11
