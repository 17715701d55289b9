-- Claims due pending operations of all merchant accounts, at most `limit` of them. Locks each one, writes
-- its lease, and counts an attempt. Leaves out locked operations and those that are no longer due.
--
-- - `service` goes through the index service by service, so a silent provider's queue is never read as a
--   whole.
-- - `looks` counts the operations that other processes try again now at the service. The count reads only
--   next attempts until the end of the lease, plus a minute. A minute is the greatest difference between
--   two clocks.
-- - `waiting` takes the oldest due operations of each service, up to its limit minus `looks`. The limit is
--   in `limits` for a service in `services`, and otherwise `perService`.
-- - `turn` puts the services with the fewest requests under way first.
-- - `due` looks up each chosen operation by its id, because the condition `status || ''` fits no partial
--   index. Under the lock, the look-up checks again that the operation is pending and due.
-- - SKIP LOCKED leaves out an operation that another process claims or settles.
-- - A process that claims an existing operation did not make the operation. The first caller is gone, or
--   the outcome is unknown already.
-- - `unknown_at` makes the outcome unknown now, unless the provider has never received the operation. The
--   outcome of an accepted operation stays as it is: known, or unknown since the end of its window.
-- - `authorizationKey` names the authorisation that a cancel or a release ends. A cancel ends the latest
--   one, because no other starts during a cancel. A release names its own.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH RECURSIVE service (id) AS (
  (SELECT payment_service_id FROM operation WHERE status = 'pending' ORDER BY payment_service_id LIMIT 1)
  UNION ALL
  SELECT (
    SELECT o.payment_service_id FROM operation o
    WHERE o.status = 'pending' AND o.payment_service_id > s.id
    ORDER BY o.payment_service_id LIMIT 1)
  FROM service s WHERE s.id IS NOT NULL),
asked AS (
  SELECT s.id, coalesce(g.most, @perService::int) AS most, l.looks FROM service s
  LEFT JOIN unnest(@services::uuid[], @limits::int[]) AS g (id, most) ON g.id = s.id
  CROSS JOIN LATERAL (
    SELECT count(*) AS looks FROM operation o
    WHERE o.status = 'pending' AND o.payment_service_id = s.id AND o.next_attempt_at > @now::timestamptz
      AND o.next_attempt_at <= @leaseUntil::timestamptz + interval '1 minute' AND o.lease_until > @now
      AND o.attempts > 1) l),
waiting AS (
  SELECT w.*, a.looks FROM asked a
  CROSS JOIN LATERAL (
    SELECT o.merchant_account_id, o.id, o.payment_service_id, o.next_attempt_at FROM operation o
    WHERE o.status = 'pending' AND o.payment_service_id = a.id AND o.next_attempt_at <= @now
    ORDER BY o.next_attempt_at LIMIT greatest(a.most - a.looks, 0)) w),
shared AS (
  SELECT w.*,
    w.looks + row_number() OVER (PARTITION BY w.payment_service_id ORDER BY w.next_attempt_at, w.id) AS turn
  FROM waiting w),
chosen AS (
  SELECT merchant_account_id, id FROM shared ORDER BY turn, next_attempt_at LIMIT @limit::bigint),
due AS (
  SELECT d.merchant_account_id, d.id FROM chosen c
  CROSS JOIN LATERAL (
    SELECT o.merchant_account_id, o.id FROM operation o
    WHERE o.merchant_account_id = c.merchant_account_id AND o.id = c.id AND o.status || '' = 'pending'
      AND o.next_attempt_at <= @now
      AND o.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
    LIMIT 1 FOR UPDATE OF o SKIP LOCKED) d),
taken AS (
  UPDATE operation o SET lease_until = @leaseUntil, next_attempt_at = @leaseUntil, attempts = o.attempts + 1,
    updated_at = @now,
    unknown_at = CASE
      WHEN o.accepted_at IS NOT NULL THEN o.unknown_at
      WHEN NOT o.unsent THEN coalesce(o.unknown_at, @now) END,
    unknown_cause = CASE
      WHEN o.accepted_at IS NOT NULL THEN o.unknown_cause
      WHEN NOT o.unsent THEN coalesce(o.unknown_cause, 'interrupted') END
  FROM due d
  WHERE o.merchant_account_id = ANY (ARRAY[d.merchant_account_id]) AND o.id = ANY (ARRAY[d.id]) RETURNING o.*)
SELECT row_to_json(o) AS operation, row_to_json(t) AS transaction, t.xmin::text AS version,
  json_build_object('id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id,
    'fields', s.fields, 'sealedFields', s.sealed_fields, 'webhookToken', s.webhook_token) AS connection,
  CASE
    WHEN o.kind IN ('cancel', 'release')
      THEN (
        SELECT coalesce(p.provider_key, p.id) FROM operation p
        WHERE p.merchant_account_id = o.merchant_account_id AND p.transaction_id = o.transaction_id
          AND p.kind = 'authorize' AND (o.releases_id IS NULL OR p.id = o.releases_id)
        ORDER BY p.id DESC LIMIT 1) END AS "authorizationKey", a.state AS approval,
  coalesce(a.kind = 'session' AND a.state = 'approved', false) OR o.sealed_returned IS NOT NULL AS resumes
FROM taken o
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
  AND t.id = ANY (ARRAY[o.transaction_id])
JOIN payment_service s ON s.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
  AND s.id = ANY (ARRAY[o.payment_service_id])
LEFT JOIN approval a ON a.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
  AND a.operation_id = ANY (ARRAY[o.id])
