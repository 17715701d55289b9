-- Reads what the ledger has booked for some payments at a payment service, by id. The bound is the list of
-- payments.
-- - The column `settled` tells that an entry settles the booking as a whole.
-- - The column `parts` is the sum of the entries that settle a part of the booking without a difference.
-- - The column `providerReference` is null when our own key stands in for an id that nobody knew.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
SELECT l.id, l.transaction_id AS "transactionId", l.operation_id AS "operationId", l.kind, l.amount,
  l.currency, s.id IS NOT NULL AS settled, o.kind AS "operationKind",
  nullif(nullif(o.provider_reference, o.id::text), o.provider_key::text) AS "providerReference",
  (
    SELECT coalesce(sum(coalesce(p.original_amount, abs(p.gross))), 0) FROM settlement p
    WHERE p.merchant_account_id = l.merchant_account_id AND p.transaction_id = l.transaction_id AND p.is_part
      AND p.operation_id = l.operation_id AND p.difference IS NULL
      AND p.kind = CASE l.kind WHEN 'capture' THEN 'charge' ELSE l.kind END)::int AS parts
FROM ledger_entry l
JOIN operation o ON o.merchant_account_id = ANY (ARRAY[l.merchant_account_id])
  AND o.id = ANY (ARRAY[l.operation_id]) AND o.payment_service_id = @service::uuid
LEFT JOIN settlement s ON s.merchant_account_id = ANY (ARRAY[l.merchant_account_id])
  AND s.ledger_entry_id = ANY (ARRAY[l.id])
WHERE l.merchant_account_id = @account::text AND l.transaction_id = ANY (@transactions::uuid[])
  AND l.kind IN ('capture', 'refund', 'capture_reversal', 'refund_reversal')
ORDER BY l.id
