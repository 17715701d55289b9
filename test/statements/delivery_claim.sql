-- $1 from, $2 until, $3 now, $4 mine, $5 limit, $6 lease, $7 leaseUntil
WITH RECURSIVE unhurried AS MATERIALIZED (
  SELECT set_config('synchronous_commit', 'off', true)),
waiting AS (
  (SELECT merchant_account_id, endpoint_id, next_at FROM delivery WHERE state = 'pending' AND CASE WHEN position < $1 THEN false ELSE position < $2 END
   ORDER BY endpoint_id, next_at, position LIMIT 1)
  UNION ALL
  SELECT following.* FROM waiting CROSS JOIN LATERAL (
    SELECT merchant_account_id, endpoint_id, next_at FROM delivery
    WHERE state = 'pending' AND endpoint_id > waiting.endpoint_id AND CASE WHEN position < $1 THEN false ELSE position < $2 END
    ORDER BY endpoint_id, next_at, position LIMIT 1) following),
ranked AS MATERIALIZED (
  SELECT w.*, w.lead - u.count AS room
  FROM waiting CROSS JOIN LATERAL (
    SELECT merchant_account_id, id, url, body_format, served_at, pauses, sealed_headers, basic_auth_username,
           sealed_basic_password, CASE WHEN pauses > 0 THEN 1 ELSE "window" END AS "window",
           CASE WHEN pauses > 0 OR "window" = 1 THEN 1 ELSE 4 * "window" END AS lead,
           CASE WHEN pauses > 0 THEN 'infinity' ELSE $3::timestamptz END AS due_by
    FROM webhook_endpoint e
    WHERE e.merchant_account_id = waiting.merchant_account_id AND e.id = waiting.endpoint_id
      AND e.deleted_at IS NULL AND e.state <> 'disabled' AND (e.paused_until IS NULL OR e.paused_until <= $3)
    OFFSET 0) w
  CROSS JOIN LATERAL (
    SELECT count(*), bool_or(lease <> ALL ($4::uuid[])) IS TRUE AS elsewhere
    FROM (SELECT lease FROM delivery WHERE endpoint_id = w.id AND state = 'leased' LIMIT 32) l) u
  WHERE waiting.next_at <= w.due_by AND u.count < w.lead AND NOT u.elsewhere
  ORDER BY w.served_at NULLS FIRST LIMIT $5),
served AS MATERIALIZED (
  SELECT ranked.*, (SELECT coalesce(json_agg(json_build_object('id', k.id, 'sealed', k.sealed) ORDER BY k.created_at DESC), '[]')
    FROM webhook_secret k
    WHERE k.merchant_account_id = ranked.merchant_account_id AND k.endpoint_id = ranked.id
      AND (k.expires_at IS NULL OR k.expires_at > $3)) AS secrets FROM ranked JOIN webhook_endpoint w
    ON w.merchant_account_id = ANY (ARRAY[ranked.merchant_account_id]) AND w.id = ANY (ARRAY[ranked.id]) AND w.pauses = ranked.pauses
      AND w.served_at IS NOT DISTINCT FROM ranked.served_at
  FOR NO KEY UPDATE OF w SKIP LOCKED),
chosen AS (
  SELECT d.endpoint_id, d.position
  FROM served CROSS JOIN LATERAL (
    SELECT endpoint_id, position, row_number() OVER (ORDER BY next_at, position) AS nth FROM (
      SELECT endpoint_id, position, next_at FROM delivery
      WHERE endpoint_id = served.id AND state = 'pending' AND next_at <= served.due_by AND CASE WHEN position < $1 THEN false ELSE position < $2 END
      ORDER BY next_at, position LIMIT 32) due) d
  WHERE d.nth <= served.room
  ORDER BY d.nth, served.served_at NULLS FIRST LIMIT $5),
leased AS (
  UPDATE delivery d SET state = 'leased', lease = $6, lease_until = $7
  FROM chosen WHERE d.position = ANY (ARRAY[chosen.position]) AND d.endpoint_id = ANY (ARRAY[chosen.endpoint_id]) AND d.state || '' = 'pending'
  RETURNING d.*),
marked AS (
  UPDATE webhook_endpoint w SET served_at = $3,
    state = CASE w.state WHEN 'paused' THEN 'failing' ELSE w.state END,
    state_changed_at = CASE w.state WHEN 'paused' THEN $3 ELSE w.state_changed_at END
  FROM (SELECT DISTINCT merchant_account_id, endpoint_id FROM leased) l
  WHERE w.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND w.id = ANY (ARRAY[l.endpoint_id]))
SELECT l.merchant_account_id AS "merchantAccountId", l.endpoint_id AS "endpointId", l.position, l.lease, l.lease_until AS "leaseUntil", l.attempt,
       s.pauses > 0 AS probe, s."window", l.deadline - interval '168 hours' AS "createdAt", s.url, s.body_format AS "bodyFormat", e.id AS "eventId",
       f.sequence, e.payload,
       s.sealed_headers AS "sealedHeaders", s.basic_auth_username AS "basicAuthUsername",
       s.sealed_basic_password AS "sealedBasicPassword", s.secrets
FROM unhurried CROSS JOIN leased l JOIN served s ON s.id = l.endpoint_id
CROSS JOIN LATERAL (
SELECT * FROM event WHERE position = ANY (ARRAY[l.position]) ORDER BY position LIMIT 1) e
JOIN feed_entry f ON f.position = ANY (ARRAY[l.position])
ORDER BY l.position
