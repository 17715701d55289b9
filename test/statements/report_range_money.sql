-- $1 first, $2 seconds, $3 isGrouped, $4 account, $5 dimension, $6 grain, $7 from, $8 to, $9 values, $10 currencies, $11 limit
SELECT ((date_part('epoch', b.starts_at) - $1::float8) / $2::float8)::int AS span,
  CASE WHEN $3::boolean THEN b.value END AS value, b.currency, b.authorized_count::text AS authorized_count, b.authorized_amount::text AS authorized_amount, b.captured_count::text AS captured_count, b.captured_amount::text AS captured_amount, b.refunded_count::text AS refunded_count, b.refunded_amount::text AS refunded_amount
FROM report_bucket b
WHERE b.merchant_account_id = $4 AND b.dimension = $5 AND b.grain = $6
  AND b.starts_at >= $7 AND b.starts_at < $8
  AND ($9::text[] IS NULL OR b.value = ANY ($9))
    AND ($10::text[] IS NULL OR b.currency = ANY ($10))
ORDER BY b.starts_at, b.currency, b.value LIMIT $11
