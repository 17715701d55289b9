-- $1 account, $2 key, $3 service, $4 verb
SELECT row_to_json(t) AS transaction, row_to_json(o) AS operation FROM operation o
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
 WHERE o.merchant_account_id = $1 AND (o.id = $2 AND o.provider_key IS NULL OR o.provider_key = $2) AND o.payment_service_id = $3 AND NOT o.unsent AND (o.kind = $4 OR ($4 = 'capture' AND o.kind = 'authorize' AND (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review')))
