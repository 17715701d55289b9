-- Writes the end of a parked notice of a review, and deletes its next attempt. A notice with a transaction
-- gets a history entry, without the null details. Answers no row, and writes nothing, when the notice has
-- ended before.
WITH ended AS (
  UPDATE inbound_review SET state = @state::text, transaction_id = @transaction::uuid, next_attempt_at = NULL,
    settled_at = @now::timestamptz
  WHERE merchant_account_id = @account::text AND id = @id::uuid AND state = 'parked' RETURNING *),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT e.merchant_account_id, @historyId::uuid, e.transaction_id, 'anti-fraud-webhook',
    jsonb_strip_nulls(@context::jsonb
      || jsonb_build_object('anti_fraud_service_id', s.id, 'anti_fraud_service_display_name', s.display_name,
        'anti_fraud_service_definition_id', s.definition_id)),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now
  FROM ended e
  JOIN anti_fraud_service s ON s.merchant_account_id = e.merchant_account_id
    AND s.id = e.anti_fraud_service_id
  WHERE e.transaction_id IS NOT NULL)
SELECT id FROM ended
