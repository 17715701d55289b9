-- $1 transactions, $2 kinds, $3 account, $4 limit
SELECT wanted.ordinal::int, o.*
FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS wanted (transaction_id, ordinal), unnest((SELECT $2::text[])) AS kind
CROSS JOIN LATERAL (
  SELECT o.id, o.kind, o.status, o.amount, o.currency, o.created_at, o.transaction_id, o.final, o.external_identifier, o.reason, o.redemption_id, o.origin, o.provider_reference, o.error_code, o.settled_at, o.updated_at FROM operation o WHERE o.merchant_account_id = $3 AND o.transaction_id = wanted.transaction_id
    AND o.kind = kind.kind ORDER BY o.id DESC LIMIT $4) o
