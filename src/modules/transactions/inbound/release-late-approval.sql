-- Locks the payment of a refused authorisation, and adds the operation that releases the late approval.
-- Writes the event and the history entry, and gives the payment a new version. Answers no row, and writes
-- nothing, when the release exists or the approval has authorised the payment.
-- - The locked row decides whether the payment is authorised. The statement therefore sees a booking of the
--   approval at the same moment.
-- - The key at the provider follows from the key of the authorisation, so a restore does not change the key.
-- - ON CONFLICT refuses a second release of the authorisation.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
-- - The last condition is always true, and tells the audit triggers the actor.
WITH refused AS (
  SELECT o.* FROM operation o
  JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
    AND t.id = ANY (ARRAY[o.transaction_id])
  WHERE o.merchant_account_id = @account::text AND o.id = @operation::uuid
    AND o.status IN ('declined', 'failed')
    AND NOT (t.payment_service_id = o.payment_service_id
      AND t.payment_service_transaction_id = @reference::text
      AND t.status NOT IN ('authorization_declined', 'authorization_failed'))
  FOR NO KEY UPDATE OF t),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency,
    releases_id, provider_key, provider_reference, actor, unsent, attempts, next_attempt_at, sent_at,
    created_at, updated_at)
  SELECT r.merchant_account_id, @release::uuid, r.transaction_id, r.payment_service_id, 'release',
    @amount::int, r.currency, r.id, md5('release of ' || coalesce(r.provider_key, r.id))::uuid,
    @reference::text, coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb,
    true, 0, @now, @now, @now, @now
  FROM refused r ON CONFLICT DO NOTHING RETURNING *),
late AS (
  UPDATE transaction t SET updated_at = @now FROM started s
  WHERE t.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND t.id = ANY (ARRAY[s.transaction_id])
  RETURNING t.*),
event_row AS (
  SELECT c.merchant_account_id, @eventA::uuid AS event_id, 'transaction.late-authorization' AS event_name,
    'transaction' AS target_type, c.id::text AS target_id, @now::timestamptz AS created_at,
    json_build_object('version', 1, 'type', 'event', 'id', @eventA::uuid,
      'name', 'transaction.late-authorization',
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
        'metadata', c.metadata, 'origin', 'provider',
        'created_at', to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'updated_at', to_char(c.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))::text
      AS payload
  FROM late c),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at, traceparent)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at,
    @traceparent::text
  FROM event_row),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, @historyId::uuid, s.transaction_id, 'payment-connector-late-authorization',
    jsonb_build_object('operation_id', s.id, 'releases_id', s.releases_id, 'amount', s.amount,
      'currency', s.currency, 'payment_service_id', s.payment_service_id,
      'payment_service_reference', s.provider_reference),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now
  FROM started s)
SELECT id FROM started
WHERE set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
  true) IS NOT NULL
