-- $1 service, $2 account, $3 transactions
SELECT l.id, l.transaction_id AS "transactionId", l.operation_id AS "operationId", l.kind, l.amount, l.currency,
  s.id IS NOT NULL AS settled, o.kind AS "operationKind",
  nullif(nullif(o.provider_reference, o.id::text), o.provider_key::text) AS "providerReference",
  (SELECT coalesce(sum(coalesce(p.original_amount, abs(p.gross))), 0) FROM settlement p
   WHERE p.merchant_account_id = l.merchant_account_id AND p.transaction_id = l.transaction_id AND p.is_part
     AND p.operation_id = l.operation_id AND p.difference IS NULL
     AND p.kind = CASE l.kind WHEN 'capture' THEN 'charge' ELSE l.kind END)::int AS parts
FROM ledger_entry l
JOIN operation o ON o.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND o.id = ANY (ARRAY[l.operation_id]) AND o.payment_service_id = $1
LEFT JOIN settlement s ON s.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND s.ledger_entry_id = ANY (ARRAY[l.id])
WHERE l.merchant_account_id = $2 AND l.transaction_id = ANY ($3::uuid[])
  AND l.kind IN ('capture', 'refund', 'capture_reversal', 'refund_reversal')
ORDER BY l.id
