-- Reads one operation with its payment and its payment service, with the service's sealed fields.
--
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
SELECT row_to_json(o) AS operation, row_to_json(t) AS transaction,
  json_build_object('id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id,
    'fields', s.fields, 'sealedFields', s.sealed_fields, 'webhookToken', s.webhook_token) AS connection
FROM operation o
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
  AND t.id = ANY (ARRAY[o.transaction_id])
JOIN payment_service s ON s.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
  AND s.id = ANY (ARRAY[o.payment_service_id])
WHERE o.merchant_account_id = @account::text AND o.id = @operation::uuid
