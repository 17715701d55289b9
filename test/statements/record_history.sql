-- $1 account, $2 id, $3 transaction, $4 name, $5 context, $6 actor, $7 now
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
VALUES ($1, $2, $3, $4, $5, coalesce($6::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $7)
