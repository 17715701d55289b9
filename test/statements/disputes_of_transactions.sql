-- $1 transactions, $2 account, $3 limit
SELECT wanted.ordinal::int, d.merchant_account_id, d.id, d.transaction_id, d.operation_id, d.payment_service_id, d.provider_reference, d.stage, d.status, d.reason, d.reason_code, d.amount, d.currency, d.lost_amount, d.decided_stage, d.respond_by, d.reported_at, d.created_at, d.updated_at
FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS wanted (transaction_id, ordinal)
CROSS JOIN LATERAL (
  SELECT * FROM dispute d WHERE d.merchant_account_id = $2 AND d.transaction_id = wanted.transaction_id
  ORDER BY d.id DESC LIMIT $3) d
ORDER BY wanted.ordinal, d.id DESC
