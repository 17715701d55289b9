-- $1 ways, $2 account, $3 transaction, $4 reference, $5 errorCode, $6 rawResponseCode, $7 rawResponseDescription, $8 now, $9 operation, $10 ledgerA, $11 eventA, $12 environment, $13 historyId, $14 methodEvent, $15 mutation
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
    UPDATE transaction t SET updated_at = $8, void_pending = false,
    intent_outcome = CASE WHEN (l.after = 'authorization_failed' AND t.status <> l.after) THEN 'failed' WHEN (l.after = 'authorization_voided') THEN CASE t.intent_outcome WHEN 'pending' THEN 'failed' ELSE t.intent_outcome END
      ELSE t.intent_outcome END,
    fraud_review = CASE t.fraud_review WHEN 'pending' THEN 'ended' ELSE t.fraud_review END,
    error_code = CASE WHEN (l.after = 'authorization_failed' AND t.status <> l.after) THEN 'canceled' ELSE t.error_code END,
    canceled_at = CASE WHEN (l.after = 'authorization_failed' AND t.status <> l.after) THEN $8::timestamptz END,
    voided_at = CASE WHEN (l.after = 'authorization_voided') THEN $8::timestamptz END,
      status = coalesce(l.after, t.status)
    FROM settled s, locked l WHERE t.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND t.id = ANY (ARRAY[l.id]) RETURNING t.*),
  ledger AS (
    INSERT INTO ledger_entry (merchant_account_id, id, transaction_id, operation_id, kind, amount, currency, created_at)
    SELECT s.merchant_account_id, e.id, s.transaction_id, s.id, e.kind, s.amount, s.currency, $8
    FROM settled s CROSS JOIN changed c CROSS JOIN (VALUES ('void', $10::uuid)) AS e (kind, id) WHERE c.status = 'authorization_voided'),
ended AS (
  UPDATE operation o SET status = 'failed', error_code = 'canceled', settled_at = $8, updated_at = $8, lease_until = NULL,
    next_attempt_at = NULL, sealed_card = NULL, unknown_at = NULL, unknown_cause = NULL
  FROM settled s WHERE o.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
    AND o.transaction_id = ANY (ARRAY[s.transaction_id])
    AND o.kind = 'authorize' AND o.status = 'pending' RETURNING o.*),
answered_payment AS (
UPDATE idempotency_key k
SET result = json_build_object('operation', row_to_json(s), 'transaction', row_to_json(c))::text
FROM ended s, changed c
WHERE k.merchant_account_id = s.merchant_account_id AND k.operation IN ('createTransaction') AND k.key = s.idempotency_key
  AND k.resource_id = s.id::text),
  moved AS (
UPDATE redemption r SET updated_at = $8,
  status = CASE r.status WHEN 'succeeded' THEN 'reversing' WHEN 'created' THEN 'skipped' ELSE r.status END,
  sealed_card = CASE r.status WHEN 'pending' THEN r.sealed_card END
FROM changed c WHERE c.gift_card_amount > 0 AND c.status IN ('authorization_declined', 'authorization_failed', 'authorization_voided') AND r.merchant_account_id = ANY (ARRAY[c.merchant_account_id])
  AND r.transaction_id = ANY (ARRAY[c.id]) AND r.status IN ('created', 'pending', 'succeeded')
  AND NOT EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = ANY (ARRAY[r.merchant_account_id]) AND o.id = ANY (ARRAY[r.reversal_id]))
RETURNING r.*),
  reversals AS (
INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, redemption_id,
  unsent, attempts, next_attempt_at, sent_at, created_at, updated_at)
SELECT m.merchant_account_id, m.reversal_id, m.transaction_id, m.payment_service_id, 'unredeem', m.amount, m.currency,
  m.id, true, 0, $8, $8, $8, $8 FROM moved m WHERE m.status = 'reversing'),
  told AS (SELECT * FROM (
SELECT 0 AS ordinal, c.merchant_account_id, $11::uuid AS event_id, CASE c.status WHEN 'authorization_voided' THEN 'transaction.voided' ELSE 'transaction.failed' END AS event_name,
  'transaction' AS target_type, c.id::text AS target_id, $8::timestamptz AS created_at,
  json_build_object('type', 'event', 'id', $11::uuid, 'name', CASE c.status WHEN 'authorization_voided' THEN 'transaction.voided' ELSE 'transaction.failed' END, 'created_at', to_char($8::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'merchant_account_id', c.merchant_account_id, 'environment', $12::text, 'target', json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
  'payment_method', json_build_object('method', c.method), 'external_identifier', c.external_identifier,
  'amount', c.amount, 'currency', c.currency, 'authorized_amount', c.authorized_amount,
  'captured_amount', c.captured_amount, 'refunded_amount', c.refunded_amount,
  'payment_service_transaction_id', c.payment_service_transaction_id, 'payment_link_id', c.payment_link_id,
  'anti_fraud_decision', c.anti_fraud_decision, 'pending_review', coalesce(c.fraud_review = 'pending', false),
  'has_gift_card_redemptions', c.gift_card_amount > 0,
  'error_code', c.error_code,
  'metadata', c.metadata, 'created_at', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM settled s CROSS JOIN changed c
JOIN payment_service p ON p.merchant_account_id = s.merchant_account_id AND p.id = s.payment_service_id WHERE coalesce(c.canceled_at, c.voided_at) IS NOT NULL) AS rows ORDER BY ordinal),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM told
  RETURNING position),
event_marked AS (INSERT INTO event_pending (position) SELECT position FROM event_written), noted AS (
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, created_at)
SELECT c.merchant_account_id, $13::uuid, c.id, 'payment-connector-response-transaction-cancel-succeeded', jsonb_strip_nulls(jsonb_build_object('operation_id', s.id, 'amount', s.amount, 'currency', s.currency,
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
  SELECT m.merchant_account_id, m.id, m.status, CASE WHEN t.store THEN CASE m.status WHEN 'processing' THEN 'failed' WHEN 'buyer_approval_required' THEN 'failed' ELSE m.status END ELSE m.status END AS after, false AS takes_scheme, t.merchant_initiated
  FROM changed t
  JOIN payment_method m ON m.merchant_account_id = ANY (ARRAY[t.merchant_account_id]) AND m.id = ANY (ARRAY[t.payment_method_id])
  FOR NO KEY UPDATE OF m),
method_settled AS (
  UPDATE payment_method m SET status = b.after, updated_at = $8 FROM method_before b
  WHERE m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) AND (b.after <> b.status OR b.takes_scheme) RETURNING m.*),
method_told AS (SELECT 0 AS ordinal, m.merchant_account_id, $14::uuid AS event_id,
  'payment-method.updated' AS event_name, 'payment-method' AS target_type, m.id::text AS target_id, $8::timestamptz AS created_at,
  json_build_object('type', 'event', 'id', $14::uuid, 'name', 'payment-method.updated', 'created_at', to_char($8::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'merchant_account_id', m.merchant_account_id, 'environment', $12::text, 'target', json_build_object('type', 'payment-method', 'id', m.id, 'method', m.method,
'status', m.status, 'buyer_id', m.buyer_id, 'external_identifier', m.external_identifier,
'created_at', to_char(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM method_settled m JOIN method_before b ON m.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND m.id = ANY (ARRAY[b.id]) WHERE (b.after <> b.status OR b.takes_scheme)),
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
WHERE k.merchant_account_id = s.merchant_account_id AND k.operation IN ($15) AND k.key = s.idempotency_key
  AND k.resource_id = s.id::text)
  SELECT row_to_json(s) AS operation, row_to_json(c) AS transaction FROM settled s, changed c
