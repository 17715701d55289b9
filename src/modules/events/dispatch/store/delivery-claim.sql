-- Locks endpoints with due deliveries and leases their earliest deliveries, at most @limit in all. Marks the
-- endpoints as served now. A paused endpoint becomes failing with its probe.
-- Answers no row for an endpoint that is deleted, disabled or in a pause. The same holds for one without
-- room, or with a lease of another process. Skips an endpoint that another process has locked.
--
-- The statement is written so that every plan is fast, with or without statistics:
--
-- - The recursive `waiting` makes one index probe for each endpoint with pending deliveries. A `SELECT
--   DISTINCT` would read the whole queue.
-- - A CASE compares the position with the bounds @from and @until. Postgres expects one row of 200 for two
--   comparisons with unknown values. Postgres would sort the whole queue to find that row. A CASE makes
--   Postgres expect every second row. The CASE also fits no index: Postgres would read the index by position
--   from end to end.
-- - Leased deliveries of an endpoint are counted only up to the largest number. Plans with a limit ignore
--   index entries of rows that were leased once. A count over all endpoints does not.
-- - OFFSET 0 prevents a join of the endpoint's look-up with all endpoints.
-- - The largest number of leases, 32, is a literal in both LATERALs.
-- - The state of leased rows is compared in a form that fits no partial index, `state || ''`. Postgres would
--   read such an index from end to end for every row. The index by position finds the row at once.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index. A connection
--   that planned for an empty table would keep such a join until the table's next ANALYZE.
-- - The ORDER BY in the event's look-up makes every plan use the index by position. The index of records has
--   the position last, and Postgres would read it from end to end.
--
-- The commit waits for no disk and no standby. Leases that a crash of Postgres loses leave their deliveries
-- pending. Such deliveries are sent again, as after any crash between a claim and its settlement.
--
-- An endpoint gets at most four leases for each one of its window. Deliveries behind the window start without
-- a round trip. All held deliveries end within a lease, even if each takes its whole deadline of 5 s.
--
-- A paused endpoint has a window of 1, and all its deliveries count as due. The lock reads the endpoint's row
-- again, so its conditions hold now. An endpoint that another process has paused or served since is skipped.
-- The secrets are those that sign at present.
WITH RECURSIVE unhurried AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
waiting AS (
  (SELECT merchant_account_id, endpoint_id, next_at FROM delivery
   WHERE state = 'pending'
     AND CASE WHEN position < @from::bigint THEN false ELSE position < @until::bigint END
   ORDER BY endpoint_id, next_at, position LIMIT 1)
  UNION ALL
  SELECT following.* FROM waiting
  CROSS JOIN LATERAL (
    SELECT merchant_account_id, endpoint_id, next_at FROM delivery
    WHERE state = 'pending' AND endpoint_id > waiting.endpoint_id
      AND CASE WHEN position < @from THEN false ELSE position < @until END
    ORDER BY endpoint_id, next_at, position LIMIT 1) following),
ranked AS MATERIALIZED (
  SELECT w.*, w.lead - u.count AS room FROM waiting
  CROSS JOIN LATERAL (
    SELECT merchant_account_id, id, url, body_format, served_at, pauses, sealed_headers, basic_auth_username,
      sealed_basic_password, CASE WHEN pauses > 0 THEN 1 ELSE "window" END AS "window",
      CASE WHEN pauses > 0 OR "window" = 1 THEN 1 ELSE 4 * "window" END AS lead,
      CASE WHEN pauses > 0 THEN 'infinity' ELSE @now::timestamptz END AS due_by
    FROM webhook_endpoint e
    WHERE e.merchant_account_id = waiting.merchant_account_id AND e.id = waiting.endpoint_id
      AND e.deleted_at IS NULL AND e.state <> 'disabled'
      AND (e.paused_until IS NULL OR e.paused_until <= @now)
      AND e.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
    OFFSET 0) w
  CROSS JOIN LATERAL (
    SELECT count(*), bool_or(lease <> ALL (@mine::uuid[])) IS TRUE AS elsewhere
    FROM (SELECT lease FROM delivery WHERE endpoint_id = w.id AND state = 'leased' LIMIT 32) l) u
  WHERE waiting.next_at <= w.due_by AND u.count < w.lead AND NOT u.elsewhere
  ORDER BY w.served_at NULLS FIRST LIMIT @limit::bigint),
served AS MATERIALIZED (
  SELECT ranked.*,
    (
      SELECT
        coalesce(json_agg(json_build_object('id', k.id, 'sealed', k.sealed) ORDER BY k.created_at DESC), '[]')
      FROM webhook_secret k
      WHERE k.merchant_account_id = ranked.merchant_account_id AND k.endpoint_id = ranked.id
        AND (k.expires_at IS NULL OR k.expires_at > @now)) AS secrets
  FROM ranked
  JOIN webhook_endpoint w ON w.merchant_account_id = ANY (ARRAY[ranked.merchant_account_id])
    AND w.id = ANY (ARRAY[ranked.id]) AND w.pauses = ranked.pauses
    AND w.served_at IS NOT DISTINCT FROM ranked.served_at
  FOR NO KEY UPDATE OF w SKIP LOCKED),
chosen AS (
  SELECT d.endpoint_id, d.position FROM served
  CROSS JOIN LATERAL (
    SELECT endpoint_id, position, row_number() OVER (ORDER BY next_at, position) AS nth
    FROM (
      SELECT endpoint_id, position, next_at FROM delivery
      WHERE endpoint_id = served.id AND state = 'pending' AND next_at <= served.due_by
        AND CASE WHEN position < @from THEN false ELSE position < @until END
      ORDER BY next_at, position LIMIT 32) due) d
  WHERE d.nth <= served.room
  ORDER BY d.nth, served.served_at NULLS FIRST LIMIT @limit),
leased AS (
  UPDATE delivery d SET state = 'leased', lease = @lease::uuid, lease_until = @leaseUntil::timestamptz
  FROM chosen
  WHERE d.position = ANY (ARRAY[chosen.position]) AND d.endpoint_id = ANY (ARRAY[chosen.endpoint_id])
    AND d.state || '' = 'pending'
  RETURNING d.*),
marked AS (
  UPDATE webhook_endpoint w SET served_at = @now,
    state = CASE w.state WHEN 'paused' THEN 'failing' ELSE w.state END,
    state_changed_at = CASE w.state WHEN 'paused' THEN @now ELSE w.state_changed_at END
  FROM (SELECT DISTINCT merchant_account_id, endpoint_id FROM leased) l
  WHERE w.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND w.id = ANY (ARRAY[l.endpoint_id]))
SELECT l.merchant_account_id AS "merchantAccountId", l.endpoint_id AS "endpointId", l.position, l.lease,
  l.lease_until AS "leaseUntil", l.attempt, s.pauses > 0 AS probe, s."window",
  l.deadline - interval '168 hours' AS "windowStart", s.url, s.body_format AS "bodyFormat", e.id AS "eventId",
  f.sequence, e.payload, e.traceparent, e.created_at AS "writtenAt", f.created_at AS "relayedAt",
  s.sealed_headers AS "sealedHeaders", s.basic_auth_username AS "basicAuthUsername",
  s.sealed_basic_password AS "sealedBasicPassword", s.secrets
FROM unhurried
CROSS JOIN leased l JOIN served s ON s.id = l.endpoint_id
CROSS JOIN LATERAL (SELECT * FROM event WHERE position = ANY (ARRAY[l.position]) ORDER BY position LIMIT 1) e
JOIN feed_entry f ON f.position = ANY (ARRAY[l.position])
ORDER BY l.position
