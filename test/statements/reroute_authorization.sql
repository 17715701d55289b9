-- $1 account, $2 transaction, $3 outcome, $4 reference, $5 errorCode, $6 rawResponseCode, $7 rawResponseDescription, $8 now, $9 operation, $10 service, $11 approvalExpiresAt, $12 approvalUrl, $13 status, $14 threeDSecure, $15 nextOperation, $16 choice, $17 sealedCard, $18 unsent, $19 attempts, $20 leaseUntil, $21 mutation, $22 historyId, $23 historyName, $24 historyContext
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
  FROM ended e, moved m)
SELECT row_to_json(s) AS operation, row_to_json(m) AS transaction, pg_current_xact_id()::xid::text AS version
FROM started s, moved m
