-- $1 account, $2 transaction, $3 outcome, $4 reference, $5 errorCode, $6 rawResponseCode, $7 rawResponseDescription, $8 now, $9 operation, $10 service, $11 approvalExpiresAt, $12 approvalUrl, $13 status, $14 threeDSecure, $15 nextOperation, $16 choice, $17 sealedCard, $18 unsent, $19 attempts, $20 leaseUntil, $21 mutation, $22 historyId, $23 historyName, $24 historyContext, $25 steps, $26 eventA, $27 environment, $28 approvalToken, $29 challengeExpiresAt
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
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, created_at)
  SELECT e.merchant_account_id, $22::uuid, e.transaction_id, $23, $24::jsonb, $8
  FROM ended e, moved m),
steps AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, created_at)
  SELECT s.merchant_account_id, h.id, s.transaction_id, h.name, h.context, $8::timestamptz
  FROM started s CROSS JOIN jsonb_to_recordset($25::jsonb) AS h (id uuid, name text, context jsonb)),
event_row AS (
SELECT c.merchant_account_id, $26::uuid AS event_id, CASE c.status WHEN 'buyer_approval_pending' THEN 'transaction.authentication-pending' ELSE 'transaction.authenticated' END AS event_name,
  'transaction' AS target_type, c.id::text AS target_id, $8::timestamptz AS created_at,
  json_build_object('type', 'event', 'id', $26::uuid, 'name', CASE c.status WHEN 'buyer_approval_pending' THEN 'transaction.authentication-pending' ELSE 'transaction.authenticated' END, 'created_at', to_char($8::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'merchant_account_id', c.merchant_account_id, 'environment', $27::text, 'target', json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
  'payment_method', json_build_object('method', c.method), 'external_identifier', c.external_identifier,
  'amount', c.amount, 'currency', c.currency, 'authorized_amount', c.authorized_amount,
  'captured_amount', c.captured_amount, 'refunded_amount', c.refunded_amount,
  'payment_service_transaction_id', c.payment_service_transaction_id, 'payment_link_id', c.payment_link_id,
  'anti_fraud_decision', c.anti_fraud_decision, 'pending_review', coalesce(c.fraud_review = 'pending', false),
  'has_gift_card_redemptions', c.gift_card_amount > 0,
  'error_code', c.error_code,
  'metadata', c.metadata, 'created_at', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'updated_at', to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text AS payload
FROM moved c WHERE (c.status = 'buyer_approval_pending' OR c.three_d_secure ->> 'status' = 'complete')),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at FROM event_row
  RETURNING position),
event_marked AS (INSERT INTO event_pending (position) SELECT position FROM event_written),
awaited AS (
  INSERT INTO approval (merchant_account_id, operation_id, kind, token, expires_at, created_at)
  SELECT s.merchant_account_id, s.id, 'challenge', $28, $29, $8 FROM started s
  WHERE $28::text IS NOT NULL)
SELECT row_to_json(s) AS operation, row_to_json(m) AS transaction, pg_current_xact_id()::xid::text AS version
FROM started s, moved m
