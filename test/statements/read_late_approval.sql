-- $1 account, $2 operation
SELECT m.late_authorizations = 'accept' AS accepts,
  EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = a.merchant_account_id AND o.transaction_id = a.transaction_id AND o.kind = 'authorize'
    AND o.status IN ('pending', 'succeeded')) AS "hasAnother",
  EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = a.merchant_account_id AND o.transaction_id = a.transaction_id AND o.kind = 'cancel' AND o.status = 'succeeded') AS "isCanceled"
FROM operation a JOIN merchant_account m ON m.id = a.merchant_account_id
WHERE a.merchant_account_id = $1 AND a.id = $2
