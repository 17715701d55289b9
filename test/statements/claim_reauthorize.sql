-- $1 amount, $2 account, $3 transaction, $4 definitions, $5 mutation, $6 key, $7 now, $8 operation, $9 final, $10 providerKeys, $11 actor, $12 externalIdentifier, $13 reason, $14 leaseUntil, $15 fingerprint, $16 digests, $17 keyExpiresAt
  WITH locked AS (
    SELECT t.*, s.definition_id, coalesce($1::int, t.authorized_amount) AS claim_amount, CASE WHEN t.authorized_amount = 0 THEN 0 ELSE greatest(t.over_capture_allowance,
coalesce(m.over_capture_amount, 0),
(t.authorized_amount::bigint * coalesce(m.over_capture_percentage, 0) / 100)::int) END AS allowance
    FROM transaction t
    JOIN merchant_account m ON m.id = t.merchant_account_id
    JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
    WHERE t.merchant_account_id = $2 AND t.id = $3 FOR UPDATE OF t),
  allowed AS (SELECT l.* FROM locked l WHERE (l.definition_id = ANY ($4) OR l.method = 'gift-card') AND l.status = 'authorization_succeeded' AND NOT l.void_pending AND NOT l.capture_closed
    AND l.authorized_amount > 0 AND l.captured_amount + l.capture_pending_amount = 0
    AND l.increase_pending_amount = 0 AND NOT l.reauthorize_pending
    AND coalesce(l.fraud_review, 'accepted') = 'accepted' AND NOT l.method = 'gift-card' AND NOT EXISTS (SELECT 1 FROM idempotency_key k WHERE k.merchant_account_id = $2
AND k.operation = $5 AND k.key = $6 AND k.expires_at > $7)),
  key_expired AS (
DELETE FROM idempotency_key k WHERE k.merchant_account_id = $2 AND k.operation = $5 AND k.key = $6
  AND k.expires_at <= $7 RETURNING 1),
  reserved AS (
    UPDATE transaction t SET reauthorize_pending = true FROM allowed a
    WHERE t.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND t.id = ANY (ARRAY[a.id])
    RETURNING t.merchant_account_id, t.payment_service_id, row_to_json(t) AS transaction, t.xmin::text AS version),
  started AS (
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, final,
      idempotency_key, provider_key, actor, external_identifier, reason, provider_reference, lease_until, next_attempt_at, sent_at, created_at,
      updated_at)
    SELECT a.merchant_account_id, $8::uuid, a.id, a.payment_service_id, 'reauthorize', a.claim_amount, a.currency,
      $9, $6, (
SELECT derived.key FROM unnest($10::uuid[]) WITH ORDINALITY AS derived (key, nth)
WHERE NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = $2 AND p.provider_key = ANY (ARRAY[derived.key]))
ORDER BY derived.nth LIMIT 1), coalesce($11::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $12, $13, NULL,
      $14, $14, $7, $7, $7
    FROM allowed a RETURNING *),
  key_written AS (
INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id, result, created_at,
  expires_at)
SELECT merchant_account_id, $5, $6, $15::text, $16::text, id::text, NULL, $7,
  $17::timestamptz
FROM started WHERE $6::text IS NOT NULL AND (SELECT count(*) FROM key_expired) >= 0)
  SELECT row_to_json(o) AS operation, r.transaction, r.version, json_build_object(
'id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id, 'fields', s.fields, 'sealedFields', s.sealed_fields) AS connection,
    CASE WHEN o.kind IN ('cancel', 'release') THEN (
SELECT coalesce(p.provider_key, p.id) FROM operation p WHERE p.merchant_account_id = o.merchant_account_id AND p.transaction_id = o.transaction_id
  AND p.kind = 'authorize' AND (o.releases_id IS NULL OR p.id = o.releases_id) ORDER BY p.id DESC LIMIT 1) END AS "authorizationKey"
  FROM started o, reserved r
  JOIN payment_service s ON s.merchant_account_id = r.merchant_account_id AND s.id = r.payment_service_id
  WHERE set_config('paygraph.actor', coalesce(coalesce($11::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
