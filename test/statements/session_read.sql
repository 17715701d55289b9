-- $1 account, $2 operation
SELECT row_to_json(o) AS operation, row_to_json(t) AS transaction, json_build_object(
'id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id, 'fields', s.fields, 'sealedFields', s.sealed_fields) AS connection
 FROM operation o
 JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND t.id = ANY (ARRAY[o.transaction_id])
 JOIN payment_service s ON s.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND s.id = ANY (ARRAY[o.payment_service_id])
 WHERE o.merchant_account_id = $1 AND o.id = $2
