-- $1 amount, $2 account, $3 transaction, $4 definitions, $5 force, $6 parts, $7 mutation, $8 key, $9 now, $10 alone, $11 operation, $12 approval, $13 final, $14 providerKeys, $15 actor, $16 externalIdentifier, $17 reason, $18 leaseUntil, $19 fingerprint, $20 digests, $21 keyExpiresAt
  WITH locked AS (
    SELECT t.*, s.definition_id, coalesce($1::int, t.captured_amount - t.refunded_amount - t.refund_pending_amount - t.dispute_lost_amount) AS claim_amount, CASE WHEN t.authorized_amount = 0 THEN 0 ELSE greatest(t.over_capture_allowance,
coalesce(m.over_capture_amount, 0),
(t.authorized_amount::bigint * coalesce(m.over_capture_percentage, 0) / 100)::int) END AS allowance
    FROM transaction t
    JOIN merchant_account m ON m.id = t.merchant_account_id
    JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
    WHERE t.merchant_account_id = $2 AND t.id = $3 FOR UPDATE OF t),
  permitted AS (SELECT l.* FROM locked l WHERE (l.definition_id = ANY ($4) OR l.method = 'gift-card') AND l.status = 'capture_succeeded' AND ($5 OR l.open_disputes = 0)
    AND l.claim_amount BETWEEN 1 AND
      l.captured_amount - l.refunded_amount - l.refund_pending_amount - l.dispute_lost_amount
    AND (l.claim_amount = l.captured_amount OR l.definition_id = ANY ($6)) AND NOT EXISTS (SELECT 1 FROM idempotency_key k WHERE k.merchant_account_id = $2
AND k.operation = $7 AND k.key = $8 AND k.expires_at > $9) AND CASE WHEN coalesce($10::jsonb ->> l.currency, $10::jsonb ->> '*') IS NULL THEN true ELSE l.claim_amount + refunded_alone(l.merchant_account_id, l.id) <= (coalesce($10::jsonb ->> l.currency, $10::jsonb ->> '*'))::int END),
approved AS (
  UPDATE refund_approval p SET operation_id = $11::uuid, next_attempt_at = NULL FROM permitted a
  WHERE p.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND p.id = ANY (ARRAY[$12::uuid])
    AND p.transaction_id = a.id AND p.status = 'approved' AND p.operation_id IS NULL RETURNING p.id),
allowed AS (SELECT a.* FROM permitted a WHERE $12::uuid IS NULL OR EXISTS (SELECT FROM approved)),
  key_expired AS (
DELETE FROM idempotency_key k WHERE k.merchant_account_id = $2 AND k.operation = $7 AND k.key = $8
  AND k.expires_at <= $9 RETURNING 1),
  reserved AS (
    UPDATE transaction t SET refund_pending_amount = t.refund_pending_amount + a.claim_amount FROM allowed a
    WHERE t.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND t.id = ANY (ARRAY[a.id])
    RETURNING t.merchant_account_id, t.payment_service_id, row_to_json(t) AS transaction, t.xmin::text AS version),
  started AS (
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, final,
      idempotency_key, provider_key, actor, external_identifier, reason, provider_reference, refund_captures, lease_until, next_attempt_at, sent_at, created_at,
      updated_at)
    SELECT a.merchant_account_id, $11::uuid, a.id, a.payment_service_id, 'refund', a.claim_amount, a.currency,
      $13, $8, (
SELECT derived.key FROM unnest($14::uuid[]) WITH ORDINALITY AS derived (key, nth)
WHERE NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = $2 AND p.provider_key = ANY (ARRAY[derived.key]))
ORDER BY derived.nth LIMIT 1), coalesce($15::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $16, $17, NULL, allocate_refund(a.merchant_account_id, a.id, a.claim_amount),
      $18, $18, $9, $9, $9
    FROM allowed a RETURNING *),
  key_written AS (
INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id, result, created_at,
  expires_at)
SELECT merchant_account_id, $7, $8, $19::text, $20::text, id::text, NULL, $9,
  $21::timestamptz
FROM started WHERE $8::text IS NOT NULL AND (SELECT count(*) FROM key_expired) >= 0)
  SELECT row_to_json(o) AS operation, r.transaction, r.version, json_build_object(
'id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id, 'fields', s.fields, 'sealedFields', s.sealed_fields) AS connection,
    CASE WHEN o.kind IN ('cancel', 'release') THEN (
SELECT coalesce(p.provider_key, p.id) FROM operation p WHERE p.merchant_account_id = o.merchant_account_id AND p.transaction_id = o.transaction_id
  AND p.kind = 'authorize' AND (o.releases_id IS NULL OR p.id = o.releases_id) ORDER BY p.id DESC LIMIT 1) END AS "authorizationKey"
  FROM started o, reserved r
  JOIN payment_service s ON s.merchant_account_id = r.merchant_account_id AND s.id = r.payment_service_id
  WHERE set_config('paygraph.actor', coalesce(coalesce($15::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
