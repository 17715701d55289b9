-- $1 refunds, $2 account, $3 transaction, $4 statuses, $5 force, $6 mutation, $7 key, $8 now, $9 alone, $10 first, $11 approval, $12 actor, $13 externalIdentifier, $14 reason, $15 leaseUntil, $16 fingerprint, $17 digests, $18 keyExpiresAt
WITH given AS (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS g (operation uuid, redemption uuid, amount int, provider_keys uuid[])),
locked AS (
  SELECT t.* FROM transaction t WHERE t.merchant_account_id = $2 AND t.id = $3 FOR UPDATE),
cards AS (
  SELECT r.id FROM locked l
  JOIN given g ON g.redemption IS NOT NULL
  JOIN redemption r ON r.merchant_account_id = l.merchant_account_id AND r.id = g.redemption AND r.transaction_id = l.id
  WHERE r.status = 'succeeded' AND r.refunded_amount + r.refund_pending_amount + g.amount <= r.amount
  FOR NO KEY UPDATE OF r),
permitted AS (
  SELECT l.*, m.on_method FROM locked l
  CROSS JOIN (SELECT coalesce(sum(amount) FILTER (WHERE redemption IS NULL), 0)::int AS on_method,
    sum(amount)::int AS whole FROM given) m
  WHERE l.status = ANY ($4)
    AND (m.on_method = 0 OR ($5 OR l.open_disputes = 0)
      AND l.refunded_amount + l.refund_pending_amount + m.on_method <= l.captured_amount - l.dispute_lost_amount)
    AND (SELECT count(*) FROM cards) = (SELECT count(redemption) FROM given) AND NOT EXISTS (SELECT 1 FROM idempotency_key k WHERE k.merchant_account_id = $2
AND k.operation = $6 AND k.key = $7 AND k.expires_at > $8)
    AND CASE WHEN coalesce($9::jsonb ->> l.currency, $9::jsonb ->> '*') IS NULL THEN true ELSE m.whole + refunded_alone(l.merchant_account_id, l.id) <= (coalesce($9::jsonb ->> l.currency, $9::jsonb ->> '*'))::int END),
approved AS (
  UPDATE refund_approval p SET operation_id = $10::uuid, next_attempt_at = NULL FROM permitted a
  WHERE p.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND p.id = ANY (ARRAY[$11::uuid])
    AND p.transaction_id = a.id AND p.status = 'approved' AND p.operation_id IS NULL RETURNING p.id),
allowed AS (SELECT a.* FROM permitted a WHERE $11::uuid IS NULL OR EXISTS (SELECT FROM approved)),
key_expired AS (
DELETE FROM idempotency_key k WHERE k.merchant_account_id = $2 AND k.operation = $6 AND k.key = $7
  AND k.expires_at <= $8 RETURNING 1),
reserved AS (
  UPDATE transaction t SET refund_pending_amount = t.refund_pending_amount + a.on_method FROM allowed a
  WHERE t.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND t.id = ANY (ARRAY[a.id]) RETURNING t.*),
reserved_cards AS (
  UPDATE redemption r SET refund_pending_amount = r.refund_pending_amount + g.amount, updated_at = $8
  FROM given g, allowed a WHERE r.merchant_account_id = a.merchant_account_id AND r.id = g.redemption
  RETURNING r.id, r.payment_service_id),
made AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, redemption_id,
    batch_id, idempotency_key, provider_key, actor, external_identifier, reason, refund_captures, lease_until, next_attempt_at, sent_at, created_at, updated_at)
  SELECT a.merchant_account_id, g.operation, a.id, coalesce(c.payment_service_id, a.payment_service_id), 'refund', g.amount,
    a.currency, g.redemption, $10::uuid, CASE WHEN g.operation = $10 THEN $7::text END,
    (
SELECT derived.key FROM unnest(g.provider_keys) WITH ORDINALITY AS derived (key, nth)
WHERE NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = $2 AND p.provider_key = ANY (ARRAY[derived.key]))
ORDER BY derived.nth LIMIT 1), coalesce($12::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $13, $14,
    CASE WHEN g.redemption IS NULL THEN allocate_refund(a.merchant_account_id, a.id, g.amount) END,
    $15, $15, $8, $8, $8
  FROM allowed a CROSS JOIN given g LEFT JOIN reserved_cards c ON c.id = g.redemption RETURNING *),
started AS (SELECT * FROM made WHERE id = $10),
key_written AS (
INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id, result, created_at,
  expires_at)
SELECT merchant_account_id, $6, $7, $16::text, $17::text, id::text, NULL, $8,
  $18::timestamptz
FROM started WHERE $7::text IS NOT NULL AND (SELECT count(*) FROM key_expired) >= 0)
SELECT row_to_json(o) AS operation, row_to_json(r) AS transaction, json_build_object(
'id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id, 'fields', s.fields, 'sealedFields', s.sealed_fields) AS connection,
  NULL AS version, NULL AS "authorizationKey"
FROM made o CROSS JOIN reserved r
JOIN payment_service s ON s.merchant_account_id = r.merchant_account_id AND s.id = o.payment_service_id
WHERE set_config('paygraph.actor', coalesce(coalesce($12::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
ORDER BY o.id
