-- $1 leaseUntil, $2 now, $3 account, $4 operation, $5 historyId, $6 audit, $7 actor
WITH taken AS (
  UPDATE operation o SET lease_until = $1, next_attempt_at = $1, updated_at = $2
  WHERE o.merchant_account_id = $3 AND o.id = $4 AND o.status = 'pending'
    AND (o.unknown_at IS NOT NULL OR o.accepted_at IS NOT NULL) AND (o.lease_until IS NULL OR o.lease_until <= $2)
  RETURNING o.*),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT merchant_account_id, $5::uuid, transaction_id, 'operation-resolved-by-hand',
    $6::jsonb || jsonb_build_object('operation_id', id, 'kind', kind), coalesce($7::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $2 FROM taken)
SELECT row_to_json(o) AS operation, row_to_json(t) AS transaction, t.xmin::text AS version, json_build_object(
'id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id, 'fields', s.fields, 'sealedFields', s.sealed_fields) AS connection, CASE WHEN o.kind IN ('cancel', 'release') THEN (
SELECT coalesce(p.provider_key, p.id) FROM operation p WHERE p.merchant_account_id = o.merchant_account_id AND p.transaction_id = o.transaction_id
  AND p.kind = 'authorize' AND (o.releases_id IS NULL OR p.id = o.releases_id) ORDER BY p.id DESC LIMIT 1) END AS "authorizationKey",
  a.state AS approval, coalesce(a.kind = 'session' AND a.state = 'approved', false) OR o.sealed_returned IS NOT NULL AS resumes
FROM taken o
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
JOIN payment_service s ON s.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND s.id = ANY (ARRAY[o.payment_service_id])
LEFT JOIN approval a ON a.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND a.operation_id = ANY (ARRAY[o.id])
