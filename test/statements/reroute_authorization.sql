-- $1 account, $2 transaction, $3 outcome, $4 reference, $5 errorCode, $6 rawResponseCode, $7 rawResponseDescription, $8 authResponseCode, $9 merchantAdviceCode, $10 now, $11 operation, $12 service, $13 approvalExpiresAt, $14 approvalUrl, $15 status, $16 threeDSecure, $17 nextOperation, $18 choice, $19 providerKeys, $20 sealedCard, $21 tokenizes, $22 unsent, $23 attempts, $24 leaseUntil, $25 mutation, $26 historyId, $27 historyName, $28 historyContext, $29 actor
WITH locked AS (
  SELECT t.* FROM transaction t WHERE t.merchant_account_id = $1 AND t.id = $2
    AND t.status = 'processing' AND NOT t.void_pending FOR NO KEY UPDATE),
ended AS (
  UPDATE operation o SET status = $3, provider_reference = coalesce($4, o.provider_reference),
    error_code = $5, raw_response_code = $6, raw_response_description = $7,
    auth_response_code = $8, merchant_advice_code = $9,
    settled_at = $10, updated_at = $10, lease_until = NULL, next_attempt_at = NULL, sealed_card = NULL,
    unknown_at = NULL, unknown_cause = NULL
  FROM locked l WHERE o.merchant_account_id = $1 AND o.id = $11 AND o.status || '' = 'pending'
    AND o.accepted_at IS NULL AND o.unknown_at IS NULL RETURNING o.*),
moved AS (
  UPDATE transaction t SET payment_service_id = $12, payment_service_transaction_id = NULL,
    approval_expires_at = $13, approval_url = $14, status = $15,
    three_d_secure = coalesce($16::jsonb, t.three_d_secure), updated_at = $10
  FROM ended e WHERE t.merchant_account_id = ANY (ARRAY[e.merchant_account_id]) AND t.id = ANY (ARRAY[e.transaction_id]) RETURNING t.*),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, amount, currency,
    idempotency_key, provider_key, actor, sealed_card, tokenizes, unsent, attempts, lease_until, next_attempt_at, sent_at, created_at, updated_at)
  SELECT e.merchant_account_id, $17::uuid, e.transaction_id, m.payment_service_id, 'authorize', $18, e.amount,
    e.currency, e.idempotency_key, (
SELECT derived.key FROM unnest($19::uuid[]) WITH ORDINALITY AS derived (key, nth)
WHERE NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = $1 AND p.provider_key = derived.key)
ORDER BY derived.nth LIMIT 1), e.actor, $20, $21::boolean, $22::boolean OR e.unsent, $23::int, $24::timestamptz, $24, $10, $10, $10
  FROM ended e, moved m RETURNING *),
rekeyed AS (
  UPDATE idempotency_key k SET resource_id = $17::uuid::text FROM ended e
  WHERE k.merchant_account_id = e.merchant_account_id AND k.operation = $25 AND k.key = e.idempotency_key
    AND k.resource_id = e.id::text),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT e.merchant_account_id, $26::uuid, e.transaction_id, $27, $28::jsonb, coalesce($29::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $10
  FROM ended e, moved m)
SELECT row_to_json(s) AS operation, row_to_json(m) AS transaction, pg_current_xact_id()::xid::text AS version
FROM started s, moved m
WHERE set_config('paygraph.actor', coalesce(coalesce($29::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
