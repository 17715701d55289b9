-- $1 account, $2 transaction, $3 leaseUntil, $4 now, $5 operation, $6 held, $7 attempts, $8 redemption, $9 providerKeys, $10 actor
WITH locked AS (
  SELECT t.* FROM transaction t WHERE t.merchant_account_id = $1 AND t.id = $2
    AND t.status = 'processing' AND NOT t.void_pending FOR NO KEY UPDATE),
held AS (
  UPDATE operation o SET lease_until = $3, next_attempt_at = $3, updated_at = $4
  FROM locked l WHERE o.merchant_account_id = $1 AND o.id = $5 AND o.status || '' = 'pending'
    AND o.unsent AND o.lease_until = $6 AND o.attempts = $7 RETURNING o.*),
begun AS (
  UPDATE redemption r SET status = 'pending', updated_at = $4 FROM held h
  WHERE r.merchant_account_id = h.merchant_account_id AND r.id = $8 AND r.status = 'created' RETURNING r.*),
touched AS (UPDATE transaction t SET updated_at = t.updated_at FROM begun b WHERE t.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND t.id = ANY (ARRAY[b.transaction_id])),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency,
    redemption_id, provider_key, actor, lease_until, next_attempt_at, sent_at, created_at, updated_at)
  SELECT b.merchant_account_id, b.id, b.transaction_id, b.payment_service_id, 'redeem', b.amount, b.currency, b.id,
    (
SELECT derived.key FROM unnest($9::uuid[]) WITH ORDINALITY AS derived (key, nth)
WHERE NOT EXISTS (SELECT FROM operation p WHERE p.merchant_account_id = $1 AND p.provider_key = ANY (ARRAY[derived.key]))
ORDER BY derived.nth LIMIT 1), coalesce($10::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $3, $3, $4, $4, $4 FROM begun b RETURNING *)
SELECT row_to_json(h) AS "authorization", row_to_json(o) AS operation, row_to_json(l) AS transaction,
  pg_current_xact_id()::xid::text AS version, json_build_object(
'id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id, 'fields', s.fields, 'sealedFields', s.sealed_fields) AS connection
FROM started o, held h, locked l
JOIN payment_service s ON s.merchant_account_id = l.merchant_account_id
WHERE s.id = o.payment_service_id AND set_config('paygraph.actor', coalesce(coalesce($10::text, nullif(current_setting('paygraph.actor', true), '')), ''), true) IS NOT NULL
