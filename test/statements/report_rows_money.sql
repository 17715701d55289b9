-- $1 isGrouped, $2 before, $3 dayStarts, $4 account, $5 dimension, $6 values, $7 currencies, $8 sixHoursStarts, $9 hourStarts, $10 quarterStarts, $11 spans, $12 firsts, $13 signs, $14 limit
SELECT * FROM (
  SELECT r.span, CASE WHEN $1::boolean THEN b.value END AS value, b.currency, sum(r.sign * b.authorized_count)::text AS authorized_count, sum(r.sign * b.authorized_amount)::text AS authorized_amount, sum(r.sign * b.captured_count)::text AS captured_count, sum(r.sign * b.captured_amount)::text AS captured_amount, sum(r.sign * b.refunded_count)::text AS refunded_count, sum(r.sign * b.refunded_amount)::text AS refunded_amount
  FROM
(
  SELECT b.*, ($2::int[])[1] + width_bucket(b.starts_at, $3::timestamptz[]) AS place
  FROM report_bucket b
  WHERE b.merchant_account_id = $4 AND b.dimension = $5 AND b.grain = 'day'
    AND b.starts_at = ANY ($3::timestamptz[]) AND ($6::text[] IS NULL OR b.value = ANY ($6))
    AND ($7::text[] IS NULL OR b.currency = ANY ($7))
  UNION ALL
  SELECT b.*, ($2::int[])[2] + width_bucket(b.starts_at, $8::timestamptz[]) AS place
  FROM report_bucket b
  WHERE b.merchant_account_id = $4 AND b.dimension = $5 AND b.grain = 'six_hours'
    AND b.starts_at = ANY ($8::timestamptz[]) AND ($6::text[] IS NULL OR b.value = ANY ($6))
    AND ($7::text[] IS NULL OR b.currency = ANY ($7))
  UNION ALL
  SELECT b.*, ($2::int[])[3] + width_bucket(b.starts_at, $9::timestamptz[]) AS place
  FROM report_bucket b
  WHERE b.merchant_account_id = $4 AND b.dimension = $5 AND b.grain = 'hour'
    AND b.starts_at = ANY ($9::timestamptz[]) AND ($6::text[] IS NULL OR b.value = ANY ($6))
    AND ($7::text[] IS NULL OR b.currency = ANY ($7))
  UNION ALL
  SELECT b.*, ($2::int[])[4] + width_bucket(b.starts_at, $10::timestamptz[]) AS place
  FROM report_bucket b
  WHERE b.merchant_account_id = $4 AND b.dimension = $5 AND b.grain = 'quarter'
    AND b.starts_at = ANY ($10::timestamptz[]) AND ($6::text[] IS NULL OR b.value = ANY ($6))
    AND ($7::text[] IS NULL OR b.currency = ANY ($7))) b
CROSS JOIN LATERAL unnest(($11::int[])[($12::int[])[b.place]:($12::int[])[b.place + 1] - 1], ($13::int[])[($12::int[])[b.place]:($12::int[])[b.place + 1] - 1]) AS r (span, sign)
  GROUP BY 1, 2, 3 HAVING sum(r.sign * (b.created_count + b.authorized_count + b.captured_count + b.refunded_count + b.voided_count + b.expired_count + b.declined_count + b.failed_count + b.capture_reversed_count + b.refund_reversed_count + b.dispute_lost_count)) <> 0 OR sum(r.sign * b.authorized_amount) <> 0 OR sum(r.sign * b.dispute_lost_amount) <> 0 OFFSET 0) AS line
ORDER BY 1, 3, 2 LIMIT $14
