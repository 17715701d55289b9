-- $1 service, $2 verb, $3 receivedAt, $4 own, $5 account, $6 payment
SELECT row_to_json(t) AS transaction, row_to_json(o) AS operation
 FROM (
   SELECT t.merchant_account_id, t.id AS transaction_id, o.id AS operation_id FROM transaction t
   LEFT JOIN operation o ON o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
     AND o.payment_service_id = $1 AND NOT o.unsent AND (o.kind = $2 OR ($2 IN ('cancel', 'void') AND o.kind = 'release') OR ($2 = 'capture' AND o.kind = 'authorize' AND (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review'))) AND o.created_at <= $3::timestamptz + interval '15 minutes' AND ($4::text IS NULL OR o.provider_reference IS NULL OR o.provider_reference = $4
OR o.provider_reference IN (o.id::text, o.provider_key::text) OR (o.kind = 'cancel' AND o.status = 'pending')
OR ($2 = 'capture' AND o.kind = 'authorize'))
   WHERE t.merchant_account_id = $5 AND t.payment_service_id = $1
     AND t.payment_service_transaction_id = $6::text COLLATE "C"
   UNION
   SELECT o.merchant_account_id, o.transaction_id, o.id FROM operation o
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
   WHERE o.merchant_account_id = $5 AND o.provider_reference = $4::text AND o.payment_service_id = $1 AND NOT o.unsent AND (o.kind = $2 OR ($2 IN ('cancel', 'void') AND o.kind = 'release') OR ($2 = 'capture' AND o.kind = 'authorize' AND (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review')))) found
 JOIN transaction t ON t.merchant_account_id = found.merchant_account_id AND t.id = found.transaction_id
 LEFT JOIN operation o ON o.merchant_account_id = found.merchant_account_id AND o.id = found.operation_id
 LIMIT 50
