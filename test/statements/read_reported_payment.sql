-- $1 kind, $2 reference, $3 operation, $4 amount, $5 service, $6 account, $7 transaction
SELECT row_to_json(t) AS transaction, t.xmin::text AS version,
  json_build_object('id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id) AS service,
  EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
AND o.payment_service_id = s.id AND (o.kind = $1 OR ($1 = 'void' AND o.kind = 'cancel')) AND o.status = 'succeeded'
    AND (o.provider_reference = $2 OR o.id = $3)) OR ($1 = 'authorize' AND EXISTS (SELECT FROM operation o
WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id AND o.payment_service_id = s.id
  AND o.kind = 'release' AND o.provider_reference = $2)) AS "isBooked",
  EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
AND o.payment_service_id = s.id AND (o.kind = $1 OR ($1 = 'void' AND o.kind = 'cancel')) AND o.status IN ('pending', 'succeeded') AND NOT o.unsent
    AND (o.provider_reference IS NULL OR o.provider_reference IN (o.id::text, o.provider_key::text)) AND (o.amount = $4::int OR $4::int IS NULL AND o.status = 'pending')) AS "mayBeOurs",
  EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
AND o.payment_service_id = s.id AND (o.kind = $1 OR ($1 = 'void' AND o.kind = 'cancel')) AND o.status = 'pending' AND NOT o.unsent
    AND o.provider_reference = $2) AS "isOurs"
FROM transaction t
JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = $5
WHERE t.merchant_account_id = $6 AND t.id = $7
