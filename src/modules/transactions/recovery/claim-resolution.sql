-- Claims a pending operation for its resolution by hand: writes a lease and a history entry. Answers no
-- row, and changes nothing, when the operation has ended or is under a lease. Refuses an operation that is
-- neither unknown nor accepted, too.
--
-- - The claim counts no attempt, and leaves the time and the cause of the unknown outcome as they are.
-- - `authorizationKey` names the authorisation that a cancel or a release ends. A cancel ends the latest
--   one, because no other starts during a cancel. A release names its own.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH taken AS (
  UPDATE operation o SET lease_until = @leaseUntil::timestamptz, next_attempt_at = @leaseUntil,
    updated_at = @now::timestamptz
  WHERE o.merchant_account_id = @account::text AND o.id = @operation::uuid AND o.status = 'pending'
    AND (o.unknown_at IS NOT NULL OR o.accepted_at IS NOT NULL)
    AND (o.lease_until IS NULL OR o.lease_until <= @now)
  RETURNING o.*),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT merchant_account_id, @historyId::uuid, transaction_id, 'operation-resolved-by-hand',
    @audit::jsonb || jsonb_build_object('operation_id', id, 'kind', kind),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now
  FROM taken)
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
