-- $1 account, $2 service, $3 references
SELECT row_to_json(t) AS transaction, found.named, a.id AS authorization FROM (SELECT t.merchant_account_id, t.id AS transaction_id, NULL::uuid AS named FROM transaction t
WHERE t.merchant_account_id = $1 AND t.payment_service_id = $2
  AND t.payment_service_transaction_id COLLATE "C" = ANY ($3::text[])
UNION
SELECT o.merchant_account_id, o.transaction_id, CASE WHEN o.status = 'succeeded' THEN o.id END FROM operation o
WHERE o.merchant_account_id = $1 AND o.provider_reference = ANY ($3::text[]) AND o.payment_service_id = $2 AND o.kind IN ('authorize', 'capture') AND NOT o.unsent) found
  JOIN transaction t ON t.merchant_account_id = found.merchant_account_id AND t.id = found.transaction_id
  LEFT JOIN LATERAL (
    SELECT o.id FROM operation o
    WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id AND o.kind = 'authorize'
      AND o.payment_service_id = $2 AND o.status = 'succeeded'
    ORDER BY o.id DESC LIMIT 1) a ON true
  LIMIT 50
