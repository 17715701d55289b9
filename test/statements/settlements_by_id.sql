-- $1 account, $2 ids
SELECT s.merchant_account_id, s.id, s.payment_service_id, s.reference, s.kind, s.provider_kind, s.line, s.key, s.operation_reference, s.payment_reference, s.dispute_reference, s.payout_reference, s.gross, s.fee, s.net, s.currency, s.original_amount, s.original_currency, s.exchange_rate, to_char(s.settled_on, 'YYYY-MM-DD'), s.transaction_id, s.operation_id, s.dispute_id, s.ledger_entry_id, s.difference, s.explanation, s.explained_at, s.rematch_at, s.created_at, s.updated_at FROM settlement s
WHERE s.merchant_account_id = $1 AND s.id = ANY ((SELECT $2::uuid[])::uuid[])
