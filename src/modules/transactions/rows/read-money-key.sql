-- Reads the live record of one idempotency key, with the operation that the record names. Answers no row
-- when the key is new or has expired.
--
-- - `result` is null until the operation ends. The record's own copy comes first. Without a copy, `result`
--   has the present rows with the answer of then.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
SELECT k.fingerprint, k.digests, k.resource_id AS "resourceId",
  coalesce(k.result,
    CASE
      WHEN o.answer IS NOT NULL
        THEN (
          SELECT json_build_object('operation', row_to_json(o), 'transaction', row_to_json(t),
            'answer', o.answer)::text
          FROM transaction t
          WHERE t.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
            AND t.id = ANY (ARRAY[o.transaction_id])) END) AS result, o.lease_until AS "leaseUntil",
  o.unknown_at IS NOT NULL AS "isUnknown"
FROM idempotency_key k
LEFT JOIN operation o ON o.merchant_account_id = ANY (ARRAY[k.merchant_account_id])
  AND o.id = ANY (ARRAY[k.resource_id::uuid])
WHERE k.merchant_account_id = @account::text AND k.operation = @mutation::text AND k.key = @key::text
  AND k.expires_at > @now::timestamptz
