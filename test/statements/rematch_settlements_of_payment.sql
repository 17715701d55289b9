-- $1 now, $2 account, $3 transaction
UPDATE settlement SET rematch_at = $1
WHERE merchant_account_id = $2 AND transaction_id = $3 AND explained_at IS NULL
  AND difference IN ('operation_not_succeeded', 'other_amount', 'other_currency', 'already_settled')
