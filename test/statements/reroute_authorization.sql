-- $1 account, $2 transaction, $3 outcome, $4 reference, $5 errorCode, $6 rawResponseCode, $7 rawResponseDescription, $8 authResponseCode, $9 networkResponseCode, $10 merchantAdviceCode, $11 now, $12 operation, $13 service, $14 approvalExpiresAt, $15 approvalUrl, $16 status, $17 threeDSecure, $18 nextOperation, $19 choice, $20 providerKeys, $21 sealedCard, $22 tokenizes, $23 unsent, $24 attempts, $25 leaseUntil, $26 mutation, $27 historyId, $28 historyName, $29 historyContext, $30 actor
WITH locked AS (
  SELECT t.* FROM transaction t WHERE t.merchant_account_id = $1 AND t.id = $2
    AND t.status = 'processing' AND NOT t.void_pending FOR NO KEY UPDATE),
ended AS (
  UPDATE operation o SET status = $3, provider_reference = coalesce($4, o.provider_reference),
    error_code = $5, raw_response_code = $6, raw_response_description = $7,
    auth_response_code = $8, network_response_code = $9,
    merchant_advice_code = $10, report_values = jsonb_build_object('scheme', coalesce(l.card_scheme, ''), 'card_country', coalesce(l.card_country, ''),
      'three_d_secure', coalesce(l.three_d_secure ->> 'status', 'none')),
    settled_at = $11, updated_at = $11, lease_until = NULL, next_attempt_at = NULL, sealed_card = NULL,
    unknown_at = NULL, unknown_cause = NULL
  FROM locked l WHERE o.merchant_account_id = $1 AND o.id = $12 AND o.status || '' = 'pending'
    AND o.accepted_at IS NULL AND o.unknown_at IS NULL RETURNING o.*),
moved AS (
  UPDATE transaction t SET payment_service_id = $13, payment_service_transaction_id = NULL,
    approval_expires_at = $14, approval_url = $15, status = $16,
    three_d_secure = coalesce($17::jsonb, t.three_d_secure), updated_at = $11
  FROM ended e WHERE t.merchant_account_id = ANY (ARRAY[e.merchant_account_id]) AND t.id = ANY (ARRAY[e.transaction_id]) RETURNING t.*),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, amount, currency,
    idempotency_key, provider_key, actor, sealed_card, tokenizes, unsent, attempts, lease_until, next_attempt_at, sent_at, created_at, updated_at)
  SELECT e.merchant_account_id, $18::uuid, e.transaction_id, m.payment_service_id, 'authorize', $19, e.amount,
    e.currency, e.idempotency_key, (
SELECT derived.key FROM unnest($20::uuid[]) WITH ORDINALITY AS derived (key, nth)
WHERE NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = $1 AND p.provider_key = ANY (ARRAY[derived.key]))
ORDER BY derived.nth LIMIT 1), e.actor, $21, $22::boolean, $23::boolean OR e.unsent, $24::int, $25::timestamptz, $25, $11, $11, $11
  FROM ended e, moved m RETURNING *),
rekeyed AS (
  UPDATE idempotency_key k SET resource_id = $18::uuid::text FROM ended e
  WHERE k.merchant_account_id = e.merchant_account_id AND k.operation = $26 AND k.key = e.idempotency_key
    AND k.resource_id = e.id::text),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT e.merchant_account_id, $27::uuid, e.transaction_id, $28, $29::jsonb, coalesce($30::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $11
  FROM ended e, moved m)
SELECT row_to_json(s) AS operation, row_to_json(m) AS transaction, pg_current_xact_id()::xid::text AS version
FROM started s, moved m
WHERE set_config('paygraph.actor', coalesce(coalesce($30::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
