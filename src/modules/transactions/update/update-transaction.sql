-- Locks the payment, and writes the merchant's own data with the history entry and the event. Answers no row,
-- and writes nothing, when no value changes or the account has no such payment.
-- - The history names the changed fields only, because their values may be personal data.
-- - The last condition is always true, and tells the audit triggers the actor.
WITH before AS (
  SELECT t.* FROM transaction t
  WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid FOR NO KEY UPDATE),
given AS (
  SELECT b.merchant_account_id, b.id,
    CASE
      WHEN @setsIdentifier::bool THEN @externalIdentifier::text
      ELSE b.external_identifier END AS external_identifier,
    CASE WHEN @setsMetadata::bool THEN @metadata::jsonb ELSE b.metadata END AS metadata
  FROM before b),
changes AS (
  SELECT g.*,
    array_remove(ARRAY[
      CASE WHEN g.external_identifier IS DISTINCT FROM b.external_identifier THEN 'external_identifier' END,
      CASE WHEN g.metadata IS DISTINCT FROM b.metadata THEN 'metadata' END], NULL) AS fields
  FROM given g, before b),
changed AS (
  UPDATE transaction t SET external_identifier = n.external_identifier, metadata = n.metadata,
    updated_at = @now FROM changes n
  WHERE t.merchant_account_id = @account AND t.id = @transaction AND n.fields <> '{}' RETURNING t.*),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT c.merchant_account_id, @historyId::uuid, c.id, 'transaction-modified-event',
    jsonb_build_object('fields', n.fields),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now
  FROM changed c, changes n),
event_row AS (
  SELECT c.merchant_account_id, @eventA::uuid AS event_id, 'transaction.modified' AS event_name,
    'transaction' AS target_type, c.id::text AS target_id, @now::timestamptz AS created_at,
    json_build_object('version', 1, 'type', 'event', 'id', @eventA::uuid, 'name', 'transaction.modified',
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
  FROM changed c),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at, traceparent)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at,
    @traceparent::text
  FROM event_row)
SELECT row_to_json(c) AS transaction FROM changed c
WHERE set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
  true) IS NOT NULL
