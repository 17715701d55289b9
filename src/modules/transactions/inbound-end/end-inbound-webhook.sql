-- Writes the end of a parked webhook, and deletes its token, its turn and its next attempt. A webhook with a
-- transaction gets a history entry, without the null details. Answers no row, and writes nothing, when the
-- webhook has ended before.
WITH ended AS (
  UPDATE inbound_webhook SET state = @state::text, transaction_id = @transaction::uuid,
    next_attempt_at = NULL, sealed_token = NULL, turn_until = NULL, settled_at = @now::timestamptz
  WHERE merchant_account_id = @account::text AND id = @id::uuid AND state = 'parked' RETURNING *),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT e.merchant_account_id, @historyId::uuid, e.transaction_id,
    'payment-connector-transaction-webhook-processed',
    jsonb_strip_nulls(@context::jsonb
      || jsonb_build_object('payment_service_id', s.id, 'payment_service_display_name', s.display_name,
        'payment_service_definition_id', s.definition_id)),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now
  FROM ended e
  JOIN payment_service s ON s.merchant_account_id = e.merchant_account_id AND s.id = e.payment_service_id
  WHERE e.transaction_id IS NOT NULL)
SELECT id FROM ended
