-- $1 now, $2 limit, $3 leaseUntil
WITH due AS (
  SELECT merchant_account_id, id FROM settlement WHERE tell_at <= $1
  ORDER BY tell_at LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED)
UPDATE settlement s SET tell_at = $3 FROM due d
WHERE s.merchant_account_id = d.merchant_account_id AND s.id = d.id
RETURNING s.merchant_account_id, s.id, s.payment_service_id, s.reference, s.kind, s.provider_kind, s.line, s.key, s.operation_reference, s.payment_reference, s.dispute_reference, s.payout_reference, s.capture_reference, s.is_part, s.captured_total, s.gross, s.fee, s.net, s.currency, s.original_amount, s.original_currency, s.exchange_rate, to_char(s.settled_on, 'YYYY-MM-DD'), s.transaction_id, s.operation_id, s.dispute_id, s.ledger_entry_id, s.difference, s.explanation, s.explained_at, s.rematch_at, s.tell_at, s.created_at, s.updated_at
