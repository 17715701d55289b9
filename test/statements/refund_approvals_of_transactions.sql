-- $1 transactions, $2 account, $3 limit
SELECT wanted.ordinal::int, p.merchant_account_id, p.id, p.transaction_id, p.amount, p.currency, p.target, p.redemption_id, p.force, p.external_identifier, p.reason, p.status, p.requested_by, p.requested_by_id, p.decided_by, p.decided_by_id, p.decision_reason, p.operation_id, p.error_code, p.next_attempt_at, p.created_at, p.expires_at, p.decided_at
FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS wanted (transaction_id, ordinal)
CROSS JOIN LATERAL (
  SELECT * FROM refund_approval p
  WHERE p.merchant_account_id = $2 AND p.transaction_id = wanted.transaction_id
  ORDER BY p.id DESC LIMIT $3) p
ORDER BY wanted.ordinal, p.id DESC
