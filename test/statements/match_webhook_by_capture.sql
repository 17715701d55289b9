-- $1 service, $2 verb, $3 receivedAt, $4 own, $5 account, $6 capture
SELECT row_to_json(t) AS transaction, row_to_json(o) AS operation
 FROM operation c
 JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[c.merchant_account_id]) AND t.id = ANY (ARRAY[c.transaction_id])
 LEFT JOIN operation o ON o.merchant_account_id = c.merchant_account_id AND o.transaction_id = c.transaction_id
   AND o.payment_service_id = $1 AND NOT o.unsent AND (o.kind = $2 OR ($2 IN ('cancel', 'void') AND o.kind = 'release') OR ($2 = 'capture' AND o.kind = 'authorize' AND (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review'))) AND o.created_at <= $3::timestamptz + interval '15 minutes' AND ($4::text IS NULL OR o.provider_reference IS NULL OR o.provider_reference = $4
OR o.provider_reference IN (o.id::text, o.provider_key::text) OR (o.kind = 'cancel' AND o.status = 'pending')
OR ($2 = 'capture' AND o.kind = 'authorize'))
 WHERE c.merchant_account_id = $5 AND c.provider_reference = $6 AND c.payment_service_id = $1
   AND c.kind IN ('authorize', 'capture')
 LIMIT 50
