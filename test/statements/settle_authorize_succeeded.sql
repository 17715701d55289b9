-- $1 ways, $2 account, $3 transaction, $4 reference, $5 errorCode, $6 rawResponseCode, $7 rawResponseDescription, $8 now, $9 operation, $10 authResponseCode, $11 avsResponseCode, $12 cvvResponseCode, $13 schemeTransactionId, $14 ledgerA, $15 ledgerB, $16 eventA, $17 environment, $18 historyId, $19 token, $20 sealedToken, $21 methodEvent, $22 tokenEvent, $23 mutation
  WITH locked AS (
    SELECT t.merchant_account_id, t.id, $1::jsonb ->> t.status AS after FROM transaction t
    WHERE t.merchant_account_id = $2 AND t.id = $3 FOR NO KEY UPDATE),
  settled AS (
    UPDATE operation o SET status = 'succeeded', provider_reference = coalesce($4, o.provider_reference),
      error_code = $5, raw_response_code = $6, raw_response_description = $7,
      settled_at = $8, updated_at = $8, lease_until = NULL, next_attempt_at = NULL, sealed_card = NULL,
      unknown_at = NULL, unknown_cause = NULL
    FROM locked l WHERE o.merchant_account_id = $2 AND o.id = $9 AND o.status || '' = 'pending'
      AND l.after IS NOT NULL  RETURNING o.*),
  changed AS (
    UPDATE transaction t SET updated_at = $8, payment_service_transaction_id = CASE WHEN t.method <> 'gift-card' THEN s.provider_reference END, error_code = s.error_code,
raw_response_code = s.raw_response_code, raw_response_description = s.raw_response_description,
auth_response_code = $10, avs_response_code = $11, cvv_response_code = $12, scheme_transaction_id = $13, authorized_amount = s.amount, authorized_at = $8,
    intent_outcome = CASE WHEN t.intent = 'capture' AND NOT (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review') THEN 'pending' ELSE 'succeeded' END,
    fraud_review = CASE t.anti_fraud_decision WHEN 'review' THEN 'pending' END,
    captured_amount = CASE WHEN (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review') THEN s.amount ELSE 0 END, capture_closed = (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review'),
    captured_at = CASE WHEN (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review') THEN $8::timestamptz END,
    void_pending = t.void_pending AND NOT (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review'),
      status = coalesce(l.after, t.status)
    FROM settled s, locked l WHERE t.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND t.id = ANY (ARRAY[l.id]) RETURNING t.*),
  ledger AS (
    INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, created_at)
    SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, s.amount, s.currency, $8
    FROM settled s CROSS JOIN changed c CROSS JOIN (VALUES ('authorize', $14::uuid), ('capture', $15::uuid)) AS e (kind, id)
  WHERE e.kind = 'authorize' OR (c.intent = 'capture' AND c.anti_fraud_decision IS DISTINCT FROM 'review')),
  told AS (SELECT * FROM (
SELECT 0 AS ordinal, c.merchant_account_id, $16::uuid AS event_id, CASE WHEN (c.intent = 'capture' AND c.anti_fraud_decision IS DISTINCT FROM 'review') THEN 'transaction.captured' ELSE 'transaction.authorized' END AS event_name,
  'transaction' AS target_type, c.id::text AS target_id, $8::timestamptz AS created_at,
  json_build_object('type', 'event', 'id', $16::uuid, 'name', CASE WHEN (c.intent = 'capture' AND c.anti_fraud_decision IS DISTINCT FROM 'review') THEN 'transaction.captured' ELSE 'transaction.authorized' END, 'created_at', to_char($8::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'merchant_account_id', c.merchant_account_id, 'environment', $17::text, 'target', json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
  'payment_method', json_build_object('method', c.method), 'external_identifier', c.external_identifier,
  'amount', c.amount, 'currency', c.currency, 'authorized_amount', c.authorized_amount,
  'captured_amount', c.captured_amount, 'refunded_amount', c.refunded_amount,
  'payment_service_transaction_id', c.payment_service_transaction_id, 'payment_link_id', c.payment_link_id,
  'anti_fraud_decision', c.anti_fraud_decision, 'pending_review', coalesce(c.fraud_review = 'pending', false),
  'has_gift_card_redemptions', c.gift_card_amount > 0,
  'error_code', c.error_code,
  'metadata', c.metadata, 'created_at', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM settled s CROSS JOIN changed c
JOIN payment_service p ON p.merchant_account_id = s.merchant_account_id AND p.id = s.payment_service_id) AS rows ORDER BY ordinal),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM told
  RETURNING position),
event_marked AS (INSERT INTO event_pending (position) SELECT position FROM event_written), noted AS (
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, created_at)
SELECT c.merchant_account_id, $18::uuid, c.id, 'payment-connector-response-transaction-authorization-succeeded', jsonb_strip_nulls(jsonb_build_object('operation_id', s.id, 'amount', s.amount, 'currency', s.currency,
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
method_before AS (
  SELECT m.merchant_account_id, m.id, m.status, CASE m.status WHEN 'processing' THEN 'succeeded' WHEN 'buyer_approval_required' THEN 'succeeded' ELSE m.status END AS after, ($13::text IS NOT NULL AND m.scheme_transaction_id IS NULL AND m.scheme IS NOT NULL
    AND m.status NOT IN ('deleting', 'deleted')) AS takes_scheme, t.merchant_initiated
  FROM changed t
  JOIN payment_method m ON m.merchant_account_id = ANY (ARRAY[t.merchant_account_id]) AND m.id = ANY (ARRAY[t.payment_method_id])
  FOR NO KEY UPDATE OF m),
method_settled AS (
  UPDATE payment_method m SET status = b.after,
    usage_count = m.usage_count + 1, last_used_at = greatest(m.last_used_at, $8::timestamptz),
    cit_usage_count = m.cit_usage_count + (NOT b.merchant_initiated)::int,
    cit_last_used_at = CASE WHEN b.merchant_initiated THEN m.cit_last_used_at
      ELSE greatest(m.cit_last_used_at, $8::timestamptz) END,
    scheme_transaction_id = CASE WHEN b.takes_scheme THEN $13 ELSE m.scheme_transaction_id END,
    scheme_transaction_id_scheme = CASE WHEN b.takes_scheme THEN m.scheme ELSE m.scheme_transaction_id_scheme END,
    updated_at = CASE WHEN (b.after <> b.status OR b.takes_scheme) THEN $8::timestamptz ELSE m.updated_at END
  FROM method_before b WHERE m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) RETURNING m.*),
token_kept AS (
  INSERT INTO payment_method_token (merchant_account_id, id, payment_method_id, payment_service_id, sealed_token, mandate,
    status, created_at, updated_at)
  SELECT m.merchant_account_id, $19::uuid, m.id, s.payment_service_id, $20::text, false, 'active',
    $8::timestamptz, $8::timestamptz
  FROM method_settled m CROSS JOIN settled s
  WHERE $20::text IS NOT NULL AND m.status NOT IN ('deleting', 'deleted')
  ON CONFLICT (merchant_account_id, payment_method_id, payment_service_id) DO NOTHING RETURNING *),
method_told AS (SELECT * FROM (SELECT 0 AS ordinal, m.merchant_account_id, $21::uuid AS event_id,
  'payment-method.updated' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $8::timestamptz AS created_at,
  json_build_object('type', 'event', 'id', $21::uuid, 'name', 'payment-method.updated', 'created_at', to_char($8::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'merchant_account_id', m.merchant_account_id, 'environment', $17::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM method_settled m JOIN method_before b ON m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) WHERE (b.after <> b.status OR b.takes_scheme) UNION ALL
  SELECT 1, m.merchant_account_id, $22::uuid AS event_id,
  'recurring.token.created' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $8::timestamptz AS created_at,
  json_build_object('type', 'event', 'id', $22::uuid, 'name', 'recurring.token.created', 'created_at', to_char($8::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'merchant_account_id', m.merchant_account_id, 'environment', $17::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'payment_service_id', k.payment_service_id))::text AS payload
  FROM method_settled m JOIN token_kept k ON k.merchant_account_id = m.merchant_account_id AND k.payment_method_id = m.id
  ) AS rows ORDER BY ordinal),
method_event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM method_told
  RETURNING position),
method_event_marked AS (INSERT INTO event_pending (position) SELECT position FROM method_event_written),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = $8 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i JOIN settled s
      ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
        AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
        AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > $8 FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
reviews_rematched AS (
  UPDATE inbound_review w SET next_attempt_at = $8 FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_review i JOIN changed c
      ON i.merchant_account_id = ANY (ARRAY[c.merchant_account_id]) AND i.check_key = ANY (ARRAY[c.id])
    WHERE c.anti_fraud_service_id IS NOT NULL AND i.state = 'parked' AND i.next_attempt_at > $8
    FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id])),
  answered AS (
UPDATE idempotency_key k
SET result = json_build_object('operation', row_to_json(s), 'transaction', row_to_json(c))::text
FROM settled s, changed c
WHERE k.merchant_account_id = s.merchant_account_id AND k.operation IN ($23) AND k.key = s.idempotency_key
  AND k.resource_id = s.id::text)
  SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c
