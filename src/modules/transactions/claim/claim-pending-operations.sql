-- Claims the pending operations of one payment without a live lease, due or not. Locks each one, writes
-- its lease, and counts an attempt. Leaves out an unsent operation whose approval is pending.
--
-- - SKIP LOCKED leaves out an operation that another process claims or settles.
-- - A process that claims an existing operation did not make the operation. The first caller is gone, or
--   the outcome is unknown already.
-- - `unknown_at` makes the outcome unknown now, unless the provider has never received the operation. The
--   outcome of an accepted operation stays as it is: known, or unknown since the end of its window.
-- - `authorizationKey` names the authorisation that a cancel or a release ends. A cancel ends the latest
--   one, because no other starts during a cancel. A release names its own.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH due AS (
  SELECT o.merchant_account_id, o.id FROM operation o
  WHERE o.merchant_account_id = @account::text AND o.transaction_id = @transaction::uuid
    AND o.status = 'pending' AND (o.lease_until IS NULL OR o.lease_until <= @now::timestamptz)
    AND NOT (o.unsent
      AND EXISTS (
        SELECT FROM approval a
        WHERE a.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
          AND a.operation_id = ANY (ARRAY[o.id]) AND a.state = 'pending'))
  FOR UPDATE OF o SKIP LOCKED),
taken AS (
  UPDATE operation o SET lease_until = @leaseUntil::timestamptz, next_attempt_at = @leaseUntil,
    attempts = o.attempts + 1, updated_at = @now,
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
