-- Takes the oldest waiting events, moves the cursor `feed` behind them, and puts them into the feed. Gives
-- the events of each account the next sequences in written order. Writes deliveries for subscribed endpoints,
-- disabled ones included. Notifies the listeners of the feed. Answers the number of taken events, which is 0
-- when none waits.
-- Each event is taken once, and none is left out. The cursor commits with all that the statement does for the
-- events.
--
-- Transactions commit in another order than that of their positions. The reader therefore remembers each
-- position that was not there, in `missing` and `young`, and looks again. The expression `waiting` has at
-- most @limit rows of each gap, and as many further rows.
--
-- - A gap is forgotten once no transaction can fill it. A transaction gets its number before its position, by
--   the default of the column. Every transaction that may fill a gap therefore has a smaller number than the
--   finder of the gap, the horizon. The next read after the end of all smaller numbers finds the rows, or
--   nobody writes them.
-- - A dump can be restored in a cluster that has not reached the horizon. No transaction of the former
--   cluster can fill a gap there.
-- - The relays exclude each other by a lock in an earlier statement. The transaction of a relay must have
--   written nothing before.
--
-- A process of the former version may have moved an event before. Such an event has a feed entry and gets no
-- second one.
--
-- Events since the creation of an endpoint are found by position, not by clocks, which differ between
-- processes. An endpoint gets no events about its own health. An endpoint that refused such an event would
-- fail by it again and again. An empty list of patterns matches every name. Neither patterns nor names hold
-- wildcards of LIKE.
WITH reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'feed'),
waiting AS (
  SELECT e.position, e.merchant_account_id, e.name, e.target_id, e.created_at FROM reader r
  CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap
  CROSS JOIN LATERAL (
    SELECT * FROM event
    WHERE position >= lower(gap) AND position < upper(gap)
    ORDER BY position LIMIT @limit::bigint) e
  UNION ALL (
    SELECT e.position, e.merchant_account_id, e.name, e.target_id, e.created_at FROM event e
    WHERE e.position > (SELECT position FROM reader)
    ORDER BY e.position LIMIT @limit)),
taken AS (SELECT * FROM waiting ORDER BY position LIMIT @limit),
reached AS (
  SELECT r.missing - t.seen AS missing,
    r.young + int8multirange(int8range(r.position, t.position, '(]')) - t.seen AS young, t.position,
    r.missing = '{}'
    OR (t.rows < @limit
      AND (r.horizon < pg_snapshot_xmin(pg_current_snapshot())
        OR r.horizon >= pg_snapshot_xmax(pg_current_snapshot()))) AS decided
  FROM reader r
  CROSS JOIN LATERAL (
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
  FROM taken e
  WHERE NOT EXISTS (SELECT FROM feed_entry f WHERE f.position = e.position)),
head AS (
  INSERT INTO feed_head AS h (merchant_account_id, sequence)
  SELECT merchant_account_id, total FROM event_in_order WHERE nth = 1
  ON CONFLICT (merchant_account_id) DO UPDATE SET sequence = h.sequence + excluded.sequence
  RETURNING h.merchant_account_id, h.sequence),
fed AS (
  INSERT INTO feed_entry (merchant_account_id, sequence, position, created_at)
  SELECT e.merchant_account_id, head.sequence - e.total + e.nth, e.position, @now::timestamptz
  FROM event_in_order e JOIN head USING (merchant_account_id)),
sent AS (
  INSERT INTO delivery (merchant_account_id, endpoint_id, position, next_at, deadline, created_at)
  SELECT e.merchant_account_id, w.id, e.position, @now, @deadline::timestamptz, @now FROM event_in_order e
  JOIN webhook_endpoint w USING (merchant_account_id)
  WHERE w.deleted_at IS NULL AND (e.position > w.created_position OR e.position = ANY (w.created_gaps))
    AND (coalesce(cardinality(w.event_names), 0) = 0
      OR EXISTS (SELECT FROM unnest(w.event_names) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
    AND NOT (e.name IN ('webhook-endpoint.failing', 'webhook-endpoint.recovered', 'webhook-endpoint.disabled')
      AND e.target_id = w.id::text))
SELECT count(*)::int AS moved, pg_notify('paygraph_feed', '') FROM taken
