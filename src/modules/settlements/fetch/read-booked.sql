-- Reads what the ledger has booked at a payment service from @from on, by id, at most @limit rows.
-- - The column `key` is our key of the operation: its provider key, or else its id.
-- - The column `reversal_key` of a dispute's booking begins with `dispute` and the id of the dispute.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
SELECT l.id, l.kind, coalesce(o.provider_key, o.id) AS key, o.provider_reference AS "operationReference",
  t.payment_service_transaction_id AS "paymentReference", d.provider_reference AS "disputeReference",
  l.amount, l.currency, l.created_at AS "bookedAt"
FROM ledger_entry l
JOIN operation o ON o.merchant_account_id = ANY (ARRAY[l.merchant_account_id])
  AND o.id = ANY (ARRAY[l.operation_id]) AND o.payment_service_id = @service::uuid
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[l.merchant_account_id])
  AND t.id = ANY (ARRAY[l.transaction_id])
LEFT JOIN dispute d ON l.kind IN ('dispute_loss', 'dispute_loss_reversal')
  AND d.merchant_account_id = l.merchant_account_id
  AND d.id = nullif(split_part(l.reversal_key, ' ', 2), '')::uuid
WHERE l.merchant_account_id = @account::text AND l.id >= @from::uuid
  AND l.kind
    IN ('capture', 'refund', 'capture_reversal', 'refund_reversal', 'dispute_loss', 'dispute_loss_reversal')
ORDER BY l.id LIMIT @limit::bigint
