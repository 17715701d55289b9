-- Adds one entry to the history of a payment. The actor is the given one, or else that of the database
-- transaction.
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
VALUES (@account::text, @id::uuid, @transaction::uuid, @name::text, @context::jsonb,
  coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now::timestamptz)
