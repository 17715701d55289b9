-- $1 transactions, $2 kinds, $3 account, $4 limit
SELECT o.id, o.transaction_id, o.kind, o.status, o.amount, o.currency, o.final, o.external_identifier, o.reason, o.redemption_id, o.provider_reference, o.error_code, o.settled_at, o.created_at, o.updated_at, wanted.ordinal::int
FROM unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS wanted (transaction_id, kind, ordinal)
CROSS JOIN LATERAL (
  SELECT * FROM operation o WHERE o.merchant_account_id = $3 AND o.transaction_id = wanted.transaction_id
    AND o.kind = wanted.kind ORDER BY o.id DESC LIMIT $4) o
