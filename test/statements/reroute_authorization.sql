-- $1 account, $2 transaction, $3 outcome, $4 reference, $5 errorCode, $6 rawResponseCode, $7 rawResponseDescription, $8 now, $9 operation, $10 service, $11 approvalExpiresAt, $12 approvalUrl, $13 status, $14 threeDSecure, $15 nextOperation, $16 choice, $17 sealedCard, $18 unsent, $19 attempts, $20 leaseUntil, $21 mutation, $22 historyId
WITH locked AS (
  SELECT t.* FROM transaction t WHERE t.merchant_account_id = $1 AND t.id = $2
    AND t.status = 'processing' AND NOT t.void_pending FOR NO KEY UPDATE),
ended AS (
  UPDATE operation o SET status = $3, provider_reference = coalesce($4, o.provider_reference),
    error_code = $5, raw_response_code = $6, raw_response_description = $7,
    settled_at = $8, updated_at = $8, lease_until = NULL, next_attempt_at = NULL, sealed_card = NULL,
    unknown_at = NULL, unknown_cause = NULL
  FROM locked l WHERE o.merchant_account_id = $1 AND o.id = $9 AND o.status || '' = 'pending'
    AND o.accepted_at IS NULL AND o.unknown_at IS NULL RETURNING o.*),
moved AS (
  UPDATE transaction t SET payment_service_id = $10, payment_service_transaction_id = NULL,
    approval_expires_at = $11, approval_url = $12, status = $13,
    three_d_secure = coalesce($14::jsonb, t.three_d_secure), updated_at = $8
  FROM ended e WHERE t.merchant_account_id = ANY (ARRAY[e.merchant_account_id]) AND t.id = ANY (ARRAY[e.transaction_id]) RETURNING t.*),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, amount, currency,
    idempotency_key, sealed_card, unsent, attempts, lease_until, next_attempt_at, sent_at, created_at, updated_at)
  SELECT e.merchant_account_id, $15::uuid, e.transaction_id, m.payment_service_id, 'authorize', $16, e.amount,
    e.currency, e.idempotency_key, $17, $18::boolean OR e.unsent, $19::int, $20::timestamptz, $20, $8, $8, $8
  FROM ended e, moved m RETURNING *),
rekeyed AS (
  UPDATE idempotency_key k SET resource_id = $15::uuid::text FROM ended e
  WHERE k.merchant_account_id = e.merchant_account_id AND k.operation = $21 AND k.key = e.idempotency_key
    AND k.resource_id = e.id::text),
noted AS (
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, created_at)
SELECT c.merchant_account_id, $22::uuid, c.id, CASE s.status WHEN 'declined' THEN 'payment-connector-response-transaction-declined'
ELSE 'payment-connector-response-transaction-authorization-failed' END, jsonb_strip_nulls(jsonb_build_object('operation_id', s.id, 'amount', s.amount, 'currency', s.currency,
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
'voided_at', to_char(CASE s.kind WHEN 'void' THEN c.voided_at END AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), $8 FROM ended s CROSS JOIN moved c
   JOIN payment_service p ON p.merchant_account_id = s.merchant_account_id AND p.id = s.payment_service_id)
SELECT row_to_json(s) AS operation, row_to_json(m) AS transaction FROM started s, moved m
