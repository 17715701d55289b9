-- $1 transactions, $2 account, $3 limit
SELECT wanted.ordinal::int, s.merchant_account_id, s.id, s.payment_service_id, s.reference, s.kind, s.provider_kind, s.line, s.key, s.operation_reference, s.payment_reference, s.dispute_reference, s.payout_reference, s.capture_reference, s.is_part, s.captured_total, s.gross, s.fee, s.net, s.currency, s.original_amount, s.original_currency, s.exchange_rate, to_char(s.settled_on, 'YYYY-MM-DD'), s.transaction_id, s.operation_id, s.dispute_id, s.ledger_entry_id, s.difference, s.explanation, s.explained_at, s.rematch_at, s.tell_at, s.created_at, s.updated_at
FROM unnest((SELECT $1::uuid[])) WITH ORDINALITY AS wanted (transaction_id, ordinal)
CROSS JOIN LATERAL (
  SELECT * FROM settlement s WHERE s.merchant_account_id = $2 AND s.transaction_id = wanted.transaction_id
  ORDER BY s.id DESC LIMIT $3) s
ORDER BY wanted.ordinal, s.id DESC
