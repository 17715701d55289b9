-- $1 account, $2 id, $3 transaction, $4 name, $5 context, $6 now
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, created_at)
VALUES ($1, $2, $3, $4, $5, $6)
