-- Adds the outcome of a dispute response to the history of its payment. The actor is that of the statement,
-- or else that of the database transaction.
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
VALUES (@account::text, @id::uuid, @transaction::uuid, 'payment-connector-dispute-responded', @context::jsonb,
  coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now::timestamptz)
