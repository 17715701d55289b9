-- $1 verb, $2 account, $3 key, $4 service
SELECT row_to_json(t) AS transaction, CASE WHEN NOT o.unsent AND (o.kind = $1 OR ($1 IN ('cancel', 'void') AND o.kind = 'release') OR ($1 = 'capture' AND o.kind = 'authorize' AND (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review'))) THEN row_to_json(o) END AS operation FROM operation o
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
 WHERE o.merchant_account_id = $2 AND (o.id = $3 AND o.provider_key IS NULL OR o.provider_key = $3)
   AND o.payment_service_id = $4 AND (NOT o.unsent OR o.kind <> $1)
