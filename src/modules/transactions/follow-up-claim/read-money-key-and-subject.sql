-- Reads the live record of an idempotency key and a payment in one snapshot. Always answers one row, whose
-- parts are null without a record or a payment.
--
-- - `one` has a single row, so that the outer joins answer a row in any case.
-- - `result` is null until the operation ends. The record's own copy comes first. Without a copy, `result`
--   has the present rows with the answer of then.
-- - `booked` is an operation that a restore lost and a report booked, with one of @providerKeys.
-- - `allowance` is the larger of the merchant account's two limits for over-capture, and at least an
--   earlier allowance. The allowance is 0 when nothing is authorised.
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
  o.unknown_at IS NOT NULL AS "isUnknown", lost.booked, subject.*
FROM (SELECT 1) one
LEFT JOIN idempotency_key k ON k.merchant_account_id = @account::text AND k.operation = @mutation::text
  AND k.key = @key::text AND k.expires_at > @now::timestamptz
LEFT JOIN operation o ON o.merchant_account_id = ANY (ARRAY[k.merchant_account_id])
  AND o.id = ANY (ARRAY[k.resource_id::uuid])
LEFT JOIN LATERAL (
  SELECT row_to_json(b) AS booked FROM operation b
  WHERE b.merchant_account_id = @account AND b.provider_key = ANY (@providerKeys::uuid[])
    AND b.origin = 'provider'
  LIMIT 1) lost ON true
LEFT JOIN LATERAL (
  SELECT row_to_json(t) AS transaction, s.definition_id AS "definitionId",
    CASE
      WHEN t.authorized_amount = 0 THEN 0
      ELSE greatest(t.over_capture_allowance, coalesce(m.over_capture_amount, 0),
        (t.authorized_amount::bigint * coalesce(m.over_capture_percentage, 0) / 100)::int) END AS allowance
  FROM transaction t
  JOIN merchant_account m ON m.id = t.merchant_account_id
  JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
  WHERE t.merchant_account_id = @account AND t.id = @transaction::uuid) subject ON true
