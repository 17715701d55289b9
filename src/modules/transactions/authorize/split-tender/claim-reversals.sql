-- Locks the unsent reversals of a payment's redemptions that nobody has claimed, marks them as sent, and
-- writes their leases. Answers the reversals as claims, in no order. SKIP LOCKED leaves out reversals that
-- another process takes up.
-- - The columns are those of every claim. A reversal has no authorisation key.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH due AS (
  SELECT merchant_account_id, id FROM operation
  WHERE merchant_account_id = @account::text AND transaction_id = @transaction::uuid AND kind = 'unredeem'
    AND status = 'pending' AND unsent AND lease_until IS NULL
  FOR UPDATE SKIP LOCKED),
taken AS (
  UPDATE operation o SET unsent = false, attempts = o.attempts + 1, sent_at = @now::timestamptz,
    lease_until = @leaseUntil::timestamptz, next_attempt_at = @leaseUntil, updated_at = @now
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
