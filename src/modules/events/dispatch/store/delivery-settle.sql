-- Stores attempts, the next steps of their deliveries, and the health of their endpoints. Locks the
-- deliveries and the endpoints. Answers the number of events about endpoints that it writes.
-- A delivery whose lease belongs to another process keeps its state. The statement then only stores and
-- counts the attempt. A repeat after a lost reply stores no attempt twice.
--
-- The statement is written so that every plan is fast, even a plan for small tables:
--
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
-- - An attempt within its lease skips the search for stored attempts, because storing an attempt ends the
--   lease.
-- - OFFSET 0 prevents a join of a late attempt's look-up with all attempts. The look-up has all columns, so
--   both indexes fit.
-- - The state is compared in a form that fits no partial index, `state || ''`. The index of leased rows still
--   leads to every row leased since the last vacuum. The index by position leads to the one row.
--
-- A probe may be made long before the delivery is due by its schedule. The schedule then counts.
--
-- The lock of an endpoint reads its row again before any decision:
--
-- - A healthy endpoint with only successes is skipped. The lock of its row would block every claim.
-- - Rows are locked in a fixed order. Two processes with the same endpoints therefore cannot deadlock.
-- - The commit that ends the lease also pauses the endpoint. No second probe can start in between.
-- - Windows adapt: one more for each success up to 8, half after a 429, 1 after a failure.
-- - Consecutive failures pause an endpoint. A success makes the endpoint active again.
-- - A 410 disables an endpoint. Seven days of failures disable it too, if the merchant wants that.
-- - A NULL in `what` means no change.
--
-- The statement decides on events under the lock of the endpoint, so each event is written once. The target
-- of an event omits the query of the URL. Other endpoints receive the event, and the query may be a secret.
WITH attempt AS (
  SELECT *
  FROM json_to_recordset(@attempts::json)
    AS a (id uuid, "merchantAccountId" text, "endpointId" uuid, position bigint, lease uuid, probe boolean,
      "startedAt" timestamptz, "durationMs" int, timing json, "statusCode" int, error text, "replyStart" text,
      state text, "nextAt" timestamptz, verdict text)),
settled AS (
  UPDATE delivery d SET state = a.state, lease = NULL, lease_until = NULL,
    next_at = CASE WHEN a.probe THEN greatest(a."nextAt", d.next_at) ELSE coalesce(a."nextAt", d.next_at) END,
    attempt = d.attempt + CASE WHEN a.verdict IN ('failure', 'gone') AND NOT a.probe THEN 1 ELSE 0 END,
    attempts_made = d.attempts_made + 1,
    settled_at = CASE WHEN a.state = 'pending' THEN NULL ELSE @now::timestamptz END
  FROM attempt a
  WHERE d.position = ANY (ARRAY[a.position]) AND d.endpoint_id = ANY (ARRAY[a."endpointId"])
    AND d.state || '' = 'leased' AND d.lease = a.lease
  RETURNING a.id, d.attempts_made),
late AS (
  UPDATE delivery d SET attempts_made = d.attempts_made + 1 FROM attempt a
  WHERE d.position = ANY (ARRAY[a.position]) AND d.endpoint_id = ANY (ARRAY[a."endpointId"])
    AND a.id NOT IN (SELECT id FROM settled)
    AND NOT EXISTS (
      SELECT FROM delivery_attempt b
      WHERE b.merchant_account_id = a."merchantAccountId" AND b.endpoint_id = a."endpointId"
        AND b.position = a.position AND b.id = a.id
      OFFSET 0)
  RETURNING a.id, d.attempts_made),
stored AS (
  INSERT INTO delivery_attempt (merchant_account_id, id, endpoint_id, position, number, probe, started_at,
    duration_ms, lookup_ms, connect_ms, tls_ms, first_byte_ms, status_code, error, reply_start)
  SELECT a."merchantAccountId", a.id, a."endpointId", a.position, n.attempts_made, a.probe, a."startedAt",
    a."durationMs", (a.timing ->> 'lookupMs')::int, (a.timing ->> 'connectMs')::int,
    (a.timing ->> 'tlsMs')::int, (a.timing ->> 'firstByteMs')::int, a."statusCode", a.error, a."replyStart"
  FROM attempt a
  JOIN (SELECT * FROM settled UNION ALL SELECT * FROM late) n USING (id)),
report AS (
  SELECT *
  FROM json_to_recordset(@reports::json)
    AS r ("merchantAccountId" text, "endpointId" uuid, successes int, failures int, "probeFailed" boolean,
      worst text, "lastFailure" text, "eventId" uuid)),
before AS MATERIALIZED (
  SELECT w.merchant_account_id, w.id, w.state <> 'disabled' AND w.deleted_at IS NULL AS live, w.pauses,
    w.auto_disable, w.failing_since, w."window", w.consecutive_failures, r.*,
    CASE r.worst
      WHEN 'success' THEN least(8, w."window" + r.successes)
      WHEN 'throttled' THEN greatest(1, w."window" / 2)
      ELSE 1 END AS new_window,
    CASE WHEN r.successes > 0 THEN r.failures ELSE w.consecutive_failures + r.failures END AS new_failures
  FROM report r
  JOIN webhook_endpoint w ON w.merchant_account_id = ANY (ARRAY[r."merchantAccountId"])
    AND w.id = ANY (ARRAY[r."endpointId"])
  WHERE NOT (r.worst = 'success' AND w."window" = 8 AND w.consecutive_failures = 0 AND w.pauses = 0)
  ORDER BY r."merchantAccountId", r."endpointId" FOR NO KEY UPDATE OF w),
happening AS (
  SELECT *,
    CASE
      WHEN NOT live THEN NULL
      WHEN worst = 'gone' THEN 'gone'
      WHEN successes = 0 AND worst = 'failure' AND auto_disable
        AND failing_since <= @now::timestamptz - interval '604800 s' THEN 'given up'
      WHEN pauses = 0 AND new_failures >= 3 THEN 'failing'
      WHEN pauses > 0 AND successes > 0 AND new_failures < 3 THEN 'recovered'
      WHEN pauses > 0 AND (successes > 0 OR "probeFailed") THEN 'paused again' END AS what
  FROM before),
decided AS (
  SELECT *,
    CASE
      WHEN what = 'failing' OR (what = 'paused again' AND successes > 0) THEN 1
      WHEN what = 'paused again' THEN pauses + 1
      WHEN what IS NULL THEN pauses
      ELSE 0 END AS new_pauses
  FROM happening),
written AS (
  UPDATE webhook_endpoint w SET "window" = j.new_window, consecutive_failures = j.new_failures,
    pauses = j.new_pauses,
    paused_until = CASE
      WHEN j.what IN ('failing', 'paused again')
        THEN @now::timestamptz + interval '1 s' * (ARRAY[5, 10, 20, 40, 80, 160, 300])[least(j.new_pauses, 7)]
      WHEN j.what IS NULL THEN w.paused_until END,
    state = CASE
      WHEN j.what IN ('gone', 'given up') THEN 'disabled'
      WHEN j.what IN ('failing', 'paused again') THEN 'paused'
      WHEN j.what = 'recovered' THEN 'active'
      ELSE w.state END,
    state_reason = CASE
      WHEN j.what = 'gone' THEN 'The endpoint answered 410 Gone.'
      WHEN j.what = 'given up' THEN 'It failed for 7 days, the last time with ' || j."lastFailure" || '.'
      WHEN j.what IN ('failing', 'paused again')
        THEN 'At least 3 attempts in a row failed, the last one with ' || j."lastFailure" || '.'
      WHEN j.what IS NULL THEN w.state_reason END,
    state_changed_at = CASE WHEN j.what IS NULL THEN w.state_changed_at ELSE @now END,
    disabled_at = CASE WHEN j.what IN ('gone', 'given up') THEN @now ELSE w.disabled_at END,
    failing_since = CASE j.what WHEN 'failing' THEN @now WHEN 'recovered' THEN NULL ELSE w.failing_since END,
    draining_since = CASE j.what WHEN 'recovered' THEN @now ELSE w.draining_since END
  FROM decided j
  WHERE w.merchant_account_id = ANY (ARRAY[j.merchant_account_id]) AND w.id = ANY (ARRAY[j.id])
    AND (j.what IS NOT NULL OR j."window" <> j.new_window OR j.consecutive_failures <> j.new_failures)
  RETURNING w.merchant_account_id, w.id, w.url, w.state, w.state_reason, j."eventId" AS event_id,
    coalesce(w.failing_since, j.failing_since) AS failing_since,
    CASE j.what
      WHEN 'gone' THEN 'webhook-endpoint.disabled'
      WHEN 'given up' THEN 'webhook-endpoint.disabled'
      WHEN 'failing' THEN 'webhook-endpoint.failing'
      WHEN 'recovered' THEN 'webhook-endpoint.recovered' END AS event_name),
health_event AS (
  SELECT merchant_account_id, event_id, event_name, 'webhook-endpoint' AS target_type, id::text AS target_id,
    @now::timestamptz AS created_at,
    json_build_object('version', 1, 'type', 'event', 'id', event_id, 'name', event_name,
      'created_at', to_char(@now::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'merchant_account_id', merchant_account_id, 'environment', @environment::text,
      'target', json_build_object('type', 'webhook-endpoint', 'id', id,
        'url', regexp_replace(url, '[?#].*$', ''), 'state', state, 'state_reason', state_reason,
        'failing_since', to_char(failing_since AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text
      AS payload
  FROM written WHERE event_name IS NOT NULL),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at
  FROM health_event)
SELECT count(*)::int AS events FROM health_event
