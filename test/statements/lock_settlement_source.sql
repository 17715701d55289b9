-- $1 account, $2 service
SELECT row_to_json(f) AS source FROM settlement_source f
WHERE f.merchant_account_id = $1 AND f.payment_service_id = $2 FOR NO KEY UPDATE
