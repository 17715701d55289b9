-- $1 limit, $2 now, $3 deadline
WITH 
reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'feed'),
waiting AS (
  SELECT e.position, e.merchant_account_id, e.name, e.target_id, e.created_at FROM reader r CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap CROSS JOIN LATERAL (
    SELECT * FROM event WHERE position >= lower(gap) AND position < upper(gap) ORDER BY position LIMIT $1) e
  UNION ALL
  (SELECT e.position, e.merchant_account_id, e.name, e.target_id, e.created_at FROM event e WHERE e.position > (SELECT position FROM reader) ORDER BY e.position LIMIT $1)),
taken AS (SELECT * FROM waiting ORDER BY position LIMIT $1),
reached AS (
  SELECT r.missing - t.seen AS missing, r.young + int8multirange(int8range(r.position, t.position, '(]')) - t.seen AS young,
    t.position, r.missing = '{}' OR (t.rows < $1
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
  FROM reached r WHERE c.name = 'feed' RETURNING c.position),
event_in_order AS (
  SELECT e.*, row_number() OVER (PARTITION BY e.merchant_account_id ORDER BY e.position) AS nth,
         count(*) OVER (PARTITION BY e.merchant_account_id) AS total
  FROM taken e WHERE NOT EXISTS (SELECT FROM feed_entry f WHERE f.position = e.position)),
head AS (
  INSERT INTO feed_head AS h (merchant_account_id, sequence)
  SELECT merchant_account_id, total FROM event_in_order WHERE nth = 1
  ON CONFLICT (merchant_account_id) DO UPDATE SET sequence = h.sequence + excluded.sequence
  RETURNING h.merchant_account_id, h.sequence),
fed AS (
  INSERT INTO feed_entry (merchant_account_id, sequence, position, created_at)
  SELECT e.merchant_account_id, head.sequence - e.total + e.nth, e.position, $2
  FROM event_in_order e JOIN head USING (merchant_account_id)),
sent AS (
  INSERT INTO delivery (merchant_account_id, endpoint_id, position, next_at, deadline, created_at)
  SELECT e.merchant_account_id, w.id, e.position, $2, $3, $2
  FROM event_in_order e JOIN webhook_endpoint w USING (merchant_account_id)
  WHERE w.deleted_at IS NULL AND (e.position > w.created_position OR e.position = ANY (w.created_gaps))
AND (coalesce(cardinality(w.event_names), 0) = 0 OR EXISTS (
   SELECT FROM unnest(w.event_names) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
AND NOT (e.name IN ('webhook-endpoint.failing', 'webhook-endpoint.recovered', 'webhook-endpoint.disabled') AND e.target_id = w.id::text))
SELECT count(*)::int AS moved, pg_notify('paygraph_feed', '') FROM taken
