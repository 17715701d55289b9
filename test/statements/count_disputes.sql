-- $1 opened, $2 lost, $3 now, $4 account, $5 transaction
UPDATE transaction t SET open_disputes = t.open_disputes + $1::int,
  dispute_lost_amount = t.dispute_lost_amount + $2::int, updated_at = greatest(t.updated_at, $3)
WHERE t.merchant_account_id = $4 AND t.id = $5
