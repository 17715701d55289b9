-- $1 transactions, $2 account, $3 limit
SELECT wanted.ordinal::int, o.*
FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS wanted (transaction_id, ordinal)
CROSS JOIN LATERAL (
  SELECT o.id, o.kind, o.status, o.amount, o.currency, o.created_at, o.transaction_id, o.final, o.external_identifier, o.reason, o.redemption_id, o.origin, o.provider_reference, o.error_code, o.settled_at, o.updated_at FROM operation o WHERE o.merchant_account_id = $2 AND o.transaction_id = wanted.transaction_id
    AND o.kind = 'authorize' ORDER BY o.id LIMIT $3) o
