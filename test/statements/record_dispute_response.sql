-- $1 account, $2 id, $3 transaction, $4 context, $5 actor, $6 now
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
VALUES ($1, $2, $3, 'payment-connector-dispute-responded', $4, coalesce($5::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $6)
