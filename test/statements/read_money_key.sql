-- $1 account, $2 mutation, $3 key, $4 now
SELECT k.fingerprint, k.digests, k.resource_id AS "resourceId", coalesce(k.result, CASE WHEN o.answer IS NOT NULL THEN (
  SELECT json_build_object('operation', row_to_json(o), 'transaction', row_to_json(t), 'answer', o.answer)::text
  FROM transaction t WHERE t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])) END) AS result, o.lease_until AS "leaseUntil",
o.unknown_at IS NOT NULL AS "isUnknown" FROM idempotency_key k
 LEFT JOIN operation o ON o.merchant_account_id = ANY (ARRAY[k.merchant_account_id]) AND o.id = ANY (ARRAY[k.resource_id::uuid])
 WHERE k.merchant_account_id = $1 AND k.operation = $2 AND k.key = $3
AND k.expires_at > $4
