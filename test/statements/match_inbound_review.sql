-- $1 account, $2 service, $3 key, $4 reference
SELECT row_to_json(t) AS transaction FROM transaction t
WHERE t.merchant_account_id = $1 AND t.anti_fraud_service_id = $2 AND t.id = coalesce($3::uuid, (
  SELECT c.transaction_id FROM anti_fraud_check c WHERE c.merchant_account_id = $1
    AND c.anti_fraud_service_id = $2 AND c.reference = $4 LIMIT 1))
