-- $1 limit
WITH marked AS (
  DELETE FROM report_pending
  WHERE position IN (SELECT position FROM report_pending ORDER BY position LIMIT (SELECT $1::int))
  RETURNING *),
reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'reports'),
waiting AS (
  SELECT e.position, e.merchant_account_id, e.id, e.created_at FROM reader r CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap CROSS JOIN LATERAL (
    SELECT * FROM ledger_entry WHERE position >= lower(gap) AND position < upper(gap) ORDER BY position LIMIT (SELECT $1::int)) e
  UNION ALL
  (SELECT e.position, e.merchant_account_id, e.id, e.created_at FROM ledger_entry e WHERE e.position > (SELECT position FROM reader) ORDER BY e.position LIMIT (SELECT $1::int))),
taken AS (SELECT * FROM waiting ORDER BY position LIMIT (SELECT $1::int)),
reached AS (
  SELECT r.missing - t.seen AS missing, r.young + int8multirange(int8range(r.position, t.position, '(]')) - t.seen AS young,
    t.position, r.missing = '{}' OR (t.rows < (SELECT $1::int)
      AND (r.horizon < pg_snapshot_xmin(pg_current_snapshot()) OR r.horizon >= pg_snapshot_xmax(pg_current_snapshot()))) AS decided
  FROM reader r CROSS JOIN LATERAL (
    SELECT count(*) AS rows, greatest(max(position), r.position) AS position,
      coalesce(range_agg(int8range(position, position, '[]')), '{}') AS seen
    FROM taken) t
  WHERE t.rows > 0),
moved_on AS (
  UPDATE log_cursor c SET position = r.position,
    missing = CASE WHEN r.decided THEN r.young ELSE r.missing END,
    young = CASE WHEN r.decided THEN '{}' ELSE r.young END,
    horizon = CASE WHEN r.decided THEN pg_current_xact_id() ELSE c.horizon END
  FROM reached r WHERE c.name = 'reports' RETURNING c.position),
begun_reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'reports of payments'),
begun_waiting AS (
  SELECT e.position, e.merchant_account_id, e.transaction_id, e.created_at FROM begun_reader r CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap CROSS JOIN LATERAL (
    SELECT * FROM operation WHERE position >= lower(gap) AND position < upper(gap) ORDER BY position LIMIT (SELECT $1::int)) e
  UNION ALL
  (SELECT e.position, e.merchant_account_id, e.transaction_id, e.created_at FROM operation e WHERE e.position > (SELECT position FROM begun_reader) ORDER BY e.position LIMIT (SELECT $1::int))),
begun_taken AS (SELECT * FROM begun_waiting ORDER BY position LIMIT (SELECT $1::int)),
begun_reached AS (
  SELECT r.missing - t.seen AS missing, r.young + int8multirange(int8range(r.position, t.position, '(]')) - t.seen AS young,
    t.position, r.missing = '{}' OR (t.rows < (SELECT $1::int)
      AND (r.horizon < pg_snapshot_xmin(pg_current_snapshot()) OR r.horizon >= pg_snapshot_xmax(pg_current_snapshot()))) AS decided
  FROM begun_reader r CROSS JOIN LATERAL (
    SELECT count(*) AS rows, greatest(max(position), r.position) AS position,
      coalesce(range_agg(int8range(position, position, '[]')), '{}') AS seen
    FROM begun_taken) t
  WHERE t.rows > 0),
begun_moved_on AS (
  UPDATE log_cursor c SET position = r.position,
    missing = CASE WHEN r.decided THEN r.young ELSE r.missing END,
    young = CASE WHEN r.decided THEN '{}' ELSE r.young END,
    horizon = CASE WHEN r.decided THEN pg_current_xact_id() ELSE c.horizon END
  FROM begun_reached r WHERE c.name = 'reports of payments' RETURNING c.position),
given AS (
  SELECT source, merchant_account_id, id, created_at FROM marked
  UNION ALL
  SELECT 'ledger_entry', merchant_account_id, id, created_at FROM taken
  UNION ALL
  SELECT 'transaction' AS source, t.merchant_account_id, t.id, t.created_at
  FROM begun_taken o JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
  WHERE NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = o.merchant_account_id
    AND p.transaction_id = o.transaction_id AND (p.position IS NULL OR p.position < o.position))),
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
  FROM counted GROUP BY merchant_account_id, dimension, grain, starts_at, value, currency),
written AS (
  INSERT INTO report_bucket AS b (merchant_account_id, dimension, grain, starts_at, value, currency, created_count, created_amount, authorized_count, authorized_amount, captured_count, captured_amount, refunded_count, refunded_amount, voided_count, voided_amount, expired_count, expired_amount, declined_count, declined_amount, failed_count, failed_amount, capture_reversed_count, capture_reversed_amount, refund_reversed_count, refund_reversed_amount, dispute_lost_count, dispute_lost_amount)
  SELECT * FROM summed
  ON CONFLICT (merchant_account_id, dimension, grain, starts_at, value, currency) DO UPDATE SET
    created_count = b.created_count + excluded.created_count, created_amount = b.created_amount + excluded.created_amount, authorized_count = b.authorized_count + excluded.authorized_count, authorized_amount = b.authorized_amount + excluded.authorized_amount, captured_count = b.captured_count + excluded.captured_count, captured_amount = b.captured_amount + excluded.captured_amount, refunded_count = b.refunded_count + excluded.refunded_count, refunded_amount = b.refunded_amount + excluded.refunded_amount, voided_count = b.voided_count + excluded.voided_count, voided_amount = b.voided_amount + excluded.voided_amount, expired_count = b.expired_count + excluded.expired_count, expired_amount = b.expired_amount + excluded.expired_amount, declined_count = b.declined_count + excluded.declined_count, declined_amount = b.declined_amount + excluded.declined_amount, failed_count = b.failed_count + excluded.failed_count, failed_amount = b.failed_amount + excluded.failed_amount, capture_reversed_count = b.capture_reversed_count + excluded.capture_reversed_count, capture_reversed_amount = b.capture_reversed_amount + excluded.capture_reversed_amount, refund_reversed_count = b.refund_reversed_count + excluded.refund_reversed_count, refund_reversed_amount = b.refund_reversed_amount + excluded.refund_reversed_amount, dispute_lost_count = b.dispute_lost_count + excluded.dispute_lost_count, dispute_lost_amount = b.dispute_lost_amount + excluded.dispute_lost_amount),
spread AS (
  INSERT INTO report_histogram AS b (merchant_account_id, dimension, grain, starts_at, value, currency, amount_bins, answer_bins)
  SELECT * FROM binned
  ON CONFLICT (merchant_account_id, dimension, grain, starts_at, value, currency) DO UPDATE SET
    amount_bins = (
SELECT coalesce(array_agg((bin << 32) + count ORDER BY bin), '{}') FROM (
  SELECT (e >> 32) AS bin, sum((e & 4294967295))::bigint AS count FROM unnest(b.amount_bins || excluded.amount_bins) AS e GROUP BY 1) AS m), answer_bins = (
SELECT coalesce(array_agg((bin << 32) + count ORDER BY bin), '{}') FROM (
  SELECT (e >> 32) AS bin, sum((e & 4294967295))::bigint AS count FROM unnest(b.answer_bins || excluded.answer_bins) AS e GROUP BY 1) AS m)),
buyers AS (
  INSERT INTO report_buyer AS r (merchant_account_id, grain, starts_at, currency, buyer_id, captured_count, captured_amount) SELECT * FROM bought
  ON CONFLICT (merchant_account_id, grain, starts_at, currency, buyer_id) DO UPDATE SET captured_count = r.captured_count + excluded.captured_count,
    captured_amount = r.captured_amount + excluded.captured_amount)
SELECT (SELECT count(*) FROM marked)::int + (SELECT count(*) FROM taken)::int + (SELECT count(*) FROM begun_taken)::int AS counted
