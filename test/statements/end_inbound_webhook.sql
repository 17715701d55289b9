-- $1 state, $2 transaction, $3 now, $4 account, $5 id, $6 historyId, $7 context, $8 actor
WITH ended AS (
  UPDATE inbound_webhook SET state = $1, transaction_id = $2, next_attempt_at = NULL,
    sealed_token = NULL, turn_until = NULL, settled_at = $3
  WHERE merchant_account_id = $4 AND id = $5 AND state = 'parked' RETURNING *),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT e.merchant_account_id, $6::uuid, e.transaction_id, 'payment-connector-transaction-webhook-processed',
    jsonb_strip_nulls($7::jsonb || jsonb_build_object('payment_service_id', s.id,
      'payment_service_display_name', s.display_name, 'payment_service_definition_id', s.definition_id)), coalesce($8::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, $3
  FROM ended e
  JOIN payment_service s ON s.merchant_account_id = e.merchant_account_id AND s.id = e.payment_service_id
  WHERE e.transaction_id IS NOT NULL)
SELECT id FROM ended
