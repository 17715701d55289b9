-- Reads a payment with its version and its latest authorisation that was requested here. Reads in one
-- snapshot, and locks nothing. `isOpen` tells whether any operation of the payment is pending.
SELECT row_to_json(t) AS transaction, t.xmin::text AS version, row_to_json(o) AS operation,
  EXISTS (
    SELECT FROM operation p
    WHERE p.merchant_account_id = t.merchant_account_id AND p.transaction_id = t.id
      AND p.status || '' = 'pending') AS "isOpen"
FROM transaction t
CROSS JOIN LATERAL (
  SELECT * FROM operation a
  WHERE a.merchant_account_id = t.merchant_account_id AND a.transaction_id = t.id AND a.kind = 'authorize'
    AND a.origin = 'requested'
  ORDER BY a.id DESC LIMIT 1) o
WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid
