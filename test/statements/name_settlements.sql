-- $1 keys, $2 references, $3 disputes, $4 payments, $5 captures, $6 account, $7 service
SELECT e.place::int, n.* FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[],
    $5::text[]) WITH ORDINALITY AS e (key, reference, dispute, payment, capture, place)
CROSS JOIN LATERAL (
  SELECT 'key' AS by, o.transaction_id AS "transactionId", o.id AS "operationId", o.kind AS "operationKind",
    NULL::uuid AS "disputeId"
  FROM operation o WHERE o.merchant_account_id = $6 AND o.id = ANY (ARRAY[e.key]) AND o.provider_key IS NULL
    AND o.payment_service_id = $7
  UNION ALL
  SELECT 'key', o.transaction_id, o.id, o.kind, NULL FROM operation o
  WHERE o.merchant_account_id = $6 AND o.provider_key = ANY (ARRAY[e.key]) AND o.payment_service_id = $7
  UNION ALL
  SELECT 'reference', o.transaction_id, o.id, o.kind, NULL FROM operation o
  WHERE o.merchant_account_id = $6 AND o.provider_reference = ANY (ARRAY[e.reference]) AND o.payment_service_id = $7
  UNION ALL
  SELECT 'dispute', d.transaction_id, d.operation_id, NULL, d.id FROM dispute d
  WHERE d.merchant_account_id = $6 AND d.payment_service_id = $7 AND d.provider_reference = ANY (ARRAY[e.dispute])
  UNION ALL
  SELECT 'payment', t.id, NULL, NULL, NULL FROM transaction t
  WHERE t.merchant_account_id = $6 AND t.payment_service_transaction_id COLLATE "C" = ANY (ARRAY[e.payment])
    AND t.payment_service_id = $7
  UNION ALL
  SELECT 'capture', o.transaction_id, NULL, NULL, NULL FROM operation o
  WHERE o.merchant_account_id = $6 AND o.provider_reference = ANY (ARRAY[e.capture]) AND o.payment_service_id = $7
    AND o.kind IN ('authorize', 'capture')) n
