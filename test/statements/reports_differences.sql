-- $1 account, $2 limit
WITH 
reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'reports'),
waiting AS (
  SELECT e.position, e.merchant_account_id, e.id, e.created_at FROM reader r CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap CROSS JOIN LATERAL (
    SELECT * FROM ledger_entry WHERE position >= lower(gap) AND position < upper(gap) ORDER BY position LIMIT ALL) e
  UNION ALL
  (SELECT e.position, e.merchant_account_id, e.id, e.created_at FROM ledger_entry e WHERE e.position > (SELECT position FROM reader) ORDER BY e.position LIMIT ALL)),
begun_reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'reports of payments'),
begun_waiting AS (
  SELECT e.position, e.merchant_account_id, e.transaction_id, e.created_at FROM begun_reader r CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap CROSS JOIN LATERAL (
    SELECT * FROM operation WHERE position >= lower(gap) AND position < upper(gap) ORDER BY position LIMIT ALL) e
  UNION ALL
  (SELECT e.position, e.merchant_account_id, e.transaction_id, e.created_at FROM operation e WHERE e.position > (SELECT position FROM begun_reader) ORDER BY e.position LIMIT ALL)),
given AS (
  SELECT 'transaction' AS source, t.merchant_account_id, t.id, t.created_at FROM transaction t
  WHERE t.merchant_account_id = $1
  UNION ALL
  SELECT 'ledger_entry', l.merchant_account_id, l.id, l.created_at FROM ledger_entry l WHERE l.merchant_account_id = $1
  UNION ALL
  SELECT 'operation', o.merchant_account_id, o.id, coalesce(o.settled_at, o.updated_at) FROM operation o
  WHERE o.merchant_account_id = $1 AND o.kind = 'authorize' AND o.status IN ('declined', 'failed')
  EXCEPT
  SELECT p.source, p.merchant_account_id, p.id, p.created_at FROM report_pending p WHERE p.merchant_account_id = $1
  EXCEPT
  SELECT 'ledger_entry', w.merchant_account_id, w.id, w.created_at FROM waiting w WHERE w.merchant_account_id = $1
  EXCEPT
  SELECT 'transaction' AS source, t.merchant_account_id, t.id, t.created_at
  FROM begun_waiting o JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
  WHERE NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = o.merchant_account_id
    AND p.transaction_id = o.transaction_id AND (p.position IS NULL OR p.position < o.position)) AND o.merchant_account_id = $1),
fact AS (
  SELECT p.merchant_account_id, p.created_at, 'created' AS measure, 1 AS count, t.amount::bigint AS amount, t.currency,
    NULL AS payment_service, t.method, t.payment_source, t.country,
    t.buyer -> 'billingDetails' -> 'address' ->> 'country' AS buyer_country, NULL AS scheme, NULL AS card_country, NULL AS three_d_secure, NULL AS decline_code,
    NULL::bigint AS authorized, NULL::bigint AS answer_ms, NULL::uuid AS buyer_id
  FROM given p JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[p.merchant_account_id]) AND t.id = ANY (ARRAY[p.id]) WHERE p.source = 'transaction'
  UNION ALL
  SELECT p.merchant_account_id, p.created_at,
CASE l.kind WHEN 'authorize' THEN 'authorized' WHEN 'increase' THEN 'authorized' WHEN 'capture' THEN 'captured'
  WHEN 'refund' THEN 'refunded' WHEN 'void' THEN 'voided' WHEN 'expire' THEN 'expired'
  WHEN 'capture_reversal' THEN 'capture_reversed' WHEN 'refund_reversal' THEN 'refund_reversed'
  WHEN 'dispute_loss' THEN 'dispute_lost' WHEN 'dispute_loss_reversal' THEN 'dispute_lost' END,
    CASE WHEN l.kind IN ('increase', 'dispute_loss_reversal') THEN 0 ELSE 1 END,
    CASE l.kind WHEN 'dispute_loss_reversal' THEN -l.amount::bigint ELSE l.amount::bigint END, l.currency,
    o.payment_service_id::text, t.method, t.payment_source, t.country,
    t.buyer -> 'billingDetails' -> 'address' ->> 'country' AS buyer_country, coalesce(t.card_scheme, '') AS scheme, coalesce(t.card_country, '') AS card_country, coalesce(t.three_d_secure ->> 'status', 'none') AS three_d_secure, NULL,
    CASE WHEN l.kind = 'authorize' THEN l.amount::bigint END, CASE WHEN l.kind = 'authorize' THEN
CASE WHEN o.kind = 'authorize' AND o.attempts = 1 AND o.accepted_at IS NULL
  THEN greatest(0, round(extract(epoch FROM o.settled_at - o.sent_at) * 1000))::bigint END END,
    CASE WHEN l.kind = 'capture' THEN t.buyer_id END
  FROM given p JOIN ledger_entry l ON l.merchant_account_id = ANY (ARRAY[p.merchant_account_id]) AND l.id = ANY (ARRAY[p.id])
  JOIN operation o ON o.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND o.id = ANY (ARRAY[l.operation_id]) JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND t.id = ANY (ARRAY[l.transaction_id])
  WHERE p.source = 'ledger_entry'
  UNION ALL
  SELECT p.merchant_account_id, p.created_at, o.status, 1, o.amount::bigint, o.currency, o.payment_service_id::text,
    t.method, t.payment_source, t.country,
    t.buyer -> 'billingDetails' -> 'address' ->> 'country' AS buyer_country, coalesce(o.report_values ->> 'scheme', coalesce(t.card_scheme, '')) AS scheme,
    coalesce(o.report_values ->> 'card_country', coalesce(t.card_country, '')) AS card_country,
    coalesce(o.report_values ->> 'three_d_secure', coalesce(t.three_d_secure ->> 'status', 'none')) AS three_d_secure, coalesce(o.error_code, ''), NULL, CASE WHEN o.status = 'declined' THEN
CASE WHEN o.kind = 'authorize' AND o.attempts = 1 AND o.accepted_at IS NULL
  THEN greatest(0, round(extract(epoch FROM o.settled_at - o.sent_at) * 1000))::bigint END END, NULL
  FROM given p JOIN operation o ON o.merchant_account_id = ANY (ARRAY[p.merchant_account_id]) AND o.id = ANY (ARRAY[p.id]) JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
  WHERE p.source = 'operation'),
placed AS (
  SELECT f.merchant_account_id, d.dimension, g.grain, g.starts_at, d.value, f.currency, f.measure, f.count, f.amount,
    f.authorized, f.answer_ms
  FROM fact f
  CROSS JOIN LATERAL (VALUES ('all', ''), ('payment_service', f.payment_service), ('method', f.method),
    ('scheme', f.scheme), ('card_country', f.card_country), ('country', coalesce(f.country, '')),
    ('buyer_country', coalesce(f.buyer_country, '')), ('payment_source', f.payment_source), ('three_d_secure', f.three_d_secure), ('decline_code', f.decline_code)
  ) AS d (dimension, value)
  CROSS JOIN LATERAL (VALUES ('day', date_bin('1440 minutes', f.created_at, '2000-01-01Z')), ('six_hours', date_bin('360 minutes', f.created_at, '2000-01-01Z')), ('hour', date_bin('60 minutes', f.created_at, '2000-01-01Z')), ('quarter', date_bin('15 minutes', f.created_at, '2000-01-01Z'))) AS g (grain, starts_at)
  WHERE d.value IS NOT NULL AND f.measure IS NOT NULL),
bought AS (
  SELECT f.merchant_account_id, g.grain, g.starts_at, f.currency, f.buyer_id, sum(f.count)::bigint AS captured_count,
    sum(f.amount)::bigint AS captured_amount
  FROM fact f CROSS JOIN LATERAL (VALUES ('day', date_trunc('day', f.created_at, 'UTC')), ('month', date_trunc('month', f.created_at, 'UTC')), ('year', date_trunc('year', f.created_at, 'UTC'))) AS g (grain, starts_at)
  WHERE f.buyer_id IS NOT NULL GROUP BY 1, 2, 3, 4, 5),
summed AS (
  SELECT merchant_account_id, dimension, grain, starts_at, value, currency,
    coalesce(sum(f.count) FILTER (WHERE f.measure = 'created'), 0)::bigint AS created_count,
    coalesce(sum(f.amount) FILTER (WHERE f.measure = 'created'), 0)::bigint AS created_amount,
    coalesce(sum(f.count) FILTER (WHERE f.measure = 'authorized'), 0)::bigint AS authorized_count,
    coalesce(sum(f.amount) FILTER (WHERE f.measure = 'authorized'), 0)::bigint AS authorized_amount,
    coalesce(sum(f.count) FILTER (WHERE f.measure = 'captured'), 0)::bigint AS captured_count,
    coalesce(sum(f.amount) FILTER (WHERE f.measure = 'captured'), 0)::bigint AS captured_amount,
    coalesce(sum(f.count) FILTER (WHERE f.measure = 'refunded'), 0)::bigint AS refunded_count,
    coalesce(sum(f.amount) FILTER (WHERE f.measure = 'refunded'), 0)::bigint AS refunded_amount,
    coalesce(sum(f.count) FILTER (WHERE f.measure = 'voided'), 0)::bigint AS voided_count,
    coalesce(sum(f.amount) FILTER (WHERE f.measure = 'voided'), 0)::bigint AS voided_amount,
    coalesce(sum(f.count) FILTER (WHERE f.measure = 'expired'), 0)::bigint AS expired_count,
    coalesce(sum(f.amount) FILTER (WHERE f.measure = 'expired'), 0)::bigint AS expired_amount,
    coalesce(sum(f.count) FILTER (WHERE f.measure = 'declined'), 0)::bigint AS declined_count,
    coalesce(sum(f.amount) FILTER (WHERE f.measure = 'declined'), 0)::bigint AS declined_amount,
    coalesce(sum(f.count) FILTER (WHERE f.measure = 'failed'), 0)::bigint AS failed_count,
    coalesce(sum(f.amount) FILTER (WHERE f.measure = 'failed'), 0)::bigint AS failed_amount,
    coalesce(sum(f.count) FILTER (WHERE f.measure = 'capture_reversed'), 0)::bigint AS capture_reversed_count,
    coalesce(sum(f.amount) FILTER (WHERE f.measure = 'capture_reversed'), 0)::bigint AS capture_reversed_amount,
    coalesce(sum(f.count) FILTER (WHERE f.measure = 'refund_reversed'), 0)::bigint AS refund_reversed_count,
    coalesce(sum(f.amount) FILTER (WHERE f.measure = 'refund_reversed'), 0)::bigint AS refund_reversed_amount,
    coalesce(sum(f.count) FILTER (WHERE f.measure = 'dispute_lost'), 0)::bigint AS dispute_lost_count,
    coalesce(sum(f.amount) FILTER (WHERE f.measure = 'dispute_lost'), 0)::bigint AS dispute_lost_amount
  FROM placed f GROUP BY merchant_account_id, dimension, grain, starts_at, value, currency),
counted AS (
  SELECT merchant_account_id, dimension, grain, starts_at, value, currency, m.kind, (CASE WHEN m.size < 1 THEN 0 ELSE 1 + floor(ln(m.size::float8) / ln(1.02::float8)) END)::bigint AS bin, count(*) AS count
  FROM placed f CROSS JOIN LATERAL (VALUES ('amount', f.authorized), ('answer', f.answer_ms)) AS m (kind, size)
  WHERE m.size IS NOT NULL GROUP BY merchant_account_id, dimension, grain, starts_at, value, currency, 7, 8),
binned AS (
  SELECT merchant_account_id, dimension, grain, starts_at, value, currency, coalesce(array_agg((bin << 32) + count ORDER BY bin) FILTER (WHERE kind = 'amount'), '{}') AS amount_bins, coalesce(array_agg((bin << 32) + count ORDER BY bin) FILTER (WHERE kind = 'answer'), '{}') AS answer_bins
  FROM counted GROUP BY merchant_account_id, dimension, grain, starts_at, value, currency)
SELECT dimension, grain, starts_at, value, currency,
  to_jsonb(b) - ARRAY['merchant_account_id', 'dimension', 'grain', 'starts_at', 'value', 'currency'] AS kept,
  to_jsonb(s) - ARRAY['merchant_account_id', 'dimension', 'grain', 'starts_at', 'value', 'currency'] AS right
FROM (SELECT * FROM report_bucket WHERE merchant_account_id = $1) b
FULL JOIN summed s USING (merchant_account_id, dimension, grain, starts_at, value, currency)
WHERE (b.created_count, b.created_amount, b.authorized_count, b.authorized_amount, b.captured_count, b.captured_amount, b.refunded_count, b.refunded_amount, b.voided_count, b.voided_amount, b.expired_count, b.expired_amount, b.declined_count, b.declined_amount, b.failed_count, b.failed_amount, b.capture_reversed_count, b.capture_reversed_amount, b.refund_reversed_count, b.refund_reversed_amount, b.dispute_lost_count, b.dispute_lost_amount)
  IS DISTINCT FROM (s.created_count, s.created_amount, s.authorized_count, s.authorized_amount, s.captured_count, s.captured_amount, s.refunded_count, s.refunded_amount, s.voided_count, s.voided_amount, s.expired_count, s.expired_amount, s.declined_count, s.declined_amount, s.failed_count, s.failed_amount, s.capture_reversed_count, s.capture_reversed_amount, s.refund_reversed_count, s.refund_reversed_amount, s.dispute_lost_count, s.dispute_lost_amount)
ORDER BY 1, 2, 3, 4, 5 LIMIT $2
