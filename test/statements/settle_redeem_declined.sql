-- $1 ways, $2 account, $3 transaction, $4 reference, $5 errorCode, $6 rawResponseCode, $7 rawResponseDescription, $8 now, $9 operation, $10 sentAt, $11 historyId, $12 mutation
  WITH locked AS (
    SELECT t.merchant_account_id, t.id, $1::jsonb ->> t.status AS after FROM transaction t
    WHERE t.merchant_account_id = $2 AND t.id = $3 FOR NO KEY UPDATE),
  settled AS (
    UPDATE operation o SET status = 'declined', provider_reference = coalesce($4, o.provider_reference),
      error_code = $5, raw_response_code = $6, raw_response_description = $7,
      settled_at = $8, updated_at = $8, lease_until = NULL, next_attempt_at = NULL, sealed_card = NULL,
      unknown_at = NULL, unknown_cause = NULL
    FROM locked l WHERE o.merchant_account_id = $2 AND o.id = $9 AND o.status || '' = 'pending'
       AND o.sent_at = $10 RETURNING o.*),
  changed AS (
    UPDATE transaction t SET updated_at = $8, void_pending = t.void_pending,
      status = t.status
    FROM settled s, locked l WHERE t.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND t.id = ANY (ARRAY[l.id]) RETURNING t.*),
  moved AS (UPDATE redemption r SET status = 'failed', error_code = s.error_code, raw_response_code = s.raw_response_code, raw_response_description = s.raw_response_description,
sealed_card = NULL, updated_at = $8 FROM settled s, changed c WHERE r.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND r.id = ANY (ARRAY[s.redemption_id]) RETURNING r.*),
  driven AS (
UPDATE operation o SET next_attempt_at = $8 FROM settled s
WHERE o.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
  AND o.transaction_id = ANY (ARRAY[s.transaction_id]) AND o.kind = 'authorize'
  AND o.status = 'pending' AND o.unsent AND (o.lease_until IS NULL OR o.lease_until <= $8)),
  noted AS (
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, created_at)
SELECT c.merchant_account_id, $11::uuid, c.id, 'gift-card-redemption-failed', jsonb_strip_nulls(jsonb_build_object('operation_id', s.id, 'amount', s.amount, 'currency', s.currency,
'payment_service_id', p.id, 'payment_service_display_name', p.display_name,
'payment_service_definition_id', p.definition_id, 'payment_service_reference', s.provider_reference,
'redemption_id', s.redemption_id, 'gift_card_service_id', CASE WHEN s.redemption_id IS NOT NULL THEN p.id END,
'gift_card_service_display_name', CASE WHEN s.redemption_id IS NOT NULL THEN p.display_name END,
'gift_card_service_definition_id', CASE WHEN s.redemption_id IS NOT NULL THEN p.definition_id END,
'reason', CASE WHEN s.redemption_id IS NOT NULL THEN s.error_code END,
'payment_service_transaction_id',
  CASE s.kind WHEN 'authorize' THEN s.provider_reference ELSE c.payment_service_transaction_id END,
'status', s.status, 'code', s.error_code, 'instrument_type', c.instrument_type,
'payment_method_scheme', c.card_scheme, 'raw_response_code', s.raw_response_code,
'raw_response_description', s.raw_response_description,
'auth_response_code', CASE s.kind WHEN 'authorize' THEN c.auth_response_code END,
'avs_response_code', CASE s.kind WHEN 'authorize' THEN c.avs_response_code END,
'cvv_response_code', CASE s.kind WHEN 'authorize' THEN c.cvv_response_code END,
'voided_at', to_char(CASE s.kind WHEN 'void' THEN c.voided_at END AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), $8 FROM settled s CROSS JOIN changed c
JOIN payment_service p ON p.merchant_account_id = s.merchant_account_id AND p.id = s.payment_service_id),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $8 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $8 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
  answered AS (
UPDATE idempotency_key k
SET result = json_build_object('operation', row_to_json(s), 'transaction', row_to_json(c))::text
FROM settled s, changed c
WHERE k.merchant_account_id = s.merchant_account_id AND k.operation IN ($12) AND k.key = s.idempotency_key
  AND k.resource_id = s.id::text)
  SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c
