-- Locks the payment, extends the lease of its authorisation, and writes the decision once, with history
-- entry and event. Keeps an earlier decision. Answers a null operation when the authorisation has ended, was
-- sent, or has another holder. The statement writes the decision even then.
-- - The form `status || ''` fits no partial index. The index of pending operations keeps an entry for every
--   operation that was pending since its last clean-up. The id leads to the one row.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
-- - The last condition is always true, and tells the audit triggers the actor.
WITH locked AS (
  SELECT t.* FROM transaction t
  WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid FOR NO KEY UPDATE),
held AS (
  UPDATE operation o SET lease_until = @leaseUntil::timestamptz, next_attempt_at = @leaseUntil,
    updated_at = @now FROM locked l
  WHERE o.merchant_account_id = @account AND o.id = @operation::uuid AND o.status || '' = 'pending'
    AND o.unsent AND o.lease_until = @held::timestamptz AND o.attempts = @attempts::int
  RETURNING o.*),
screened AS (
  UPDATE transaction t SET anti_fraud_decision = @decision::text, updated_at = @now FROM locked l
  WHERE t.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND t.id = ANY (ARRAY[l.id])
    AND l.anti_fraud_decision = 'pending'
  RETURNING t.*),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT j.merchant_account_id, @historyId::uuid, j.id, @historyName::text,
    jsonb_strip_nulls(@context::jsonb
      || jsonb_build_object('anti_fraud_service_id', a.id, 'anti_fraud_service_display_name', a.display_name,
        'anti_fraud_service_definition_id', a.definition_id)),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now
  FROM screened j
  JOIN anti_fraud_service a ON a.merchant_account_id = j.merchant_account_id
    AND a.id = j.anti_fraud_service_id),
event_row AS (
  SELECT c.merchant_account_id, @eventA::uuid AS event_id, 'transaction.anti-fraud-decided' AS event_name,
    'transaction' AS target_type, c.id::text AS target_id, @now::timestamptz AS created_at,
    json_build_object('version', 1, 'type', 'event', 'id', @eventA::uuid,
      'name', 'transaction.anti-fraud-decided',
      'created_at', to_char(@now::timestamptz AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'merchant_account_id', c.merchant_account_id, 'environment', @environment::text,
      'target', json_build_object('type', 'transaction', 'id', c.id, 'status', c.status,
        'payment_method', json_build_object('method', c.method),
        'bank', CASE
          WHEN c.bank IS NOT NULL
            THEN json_build_object('scheme', c.bank ->> 'scheme', 'last_four', c.bank ->> 'lastFour',
              'mandate_reference', coalesce(c.bank #>> '{debit,mandateReference}',
                c.bank #>> '{mandate,reference}'), 'debits_on', c.bank #>> '{debit,debitsOn}',
              'creditor_id', c.bank #>> '{debit,creditorId}') END,
        'external_identifier', c.external_identifier, 'amount', c.amount, 'currency', c.currency,
        'authorized_amount', c.authorized_amount, 'captured_amount', c.captured_amount,
        'refunded_amount', c.refunded_amount, 'splits', published_splits(c.splits),
        'payment_service_transaction_id', c.payment_service_transaction_id,
        'payment_link_id', c.payment_link_id, 'anti_fraud_decision', c.anti_fraud_decision,
        'pending_review', coalesce(c.fraud_review = 'pending', false),
        'has_gift_card_redemptions', c.gift_card_amount > 0, 'error_code', c.error_code,
        'metadata', c.metadata, 'origin', 'requested',
        'created_at', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'updated_at', to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text
      AS payload
  FROM screened c),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at, traceparent)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at,
    @traceparent::text
  FROM event_row)
SELECT CASE WHEN j.id IS NULL THEN row_to_json(l) ELSE row_to_json(j) END AS transaction,
  (SELECT row_to_json(h) FROM held h) AS operation
FROM locked l
LEFT JOIN screened j ON true
WHERE set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
  true) IS NOT NULL
