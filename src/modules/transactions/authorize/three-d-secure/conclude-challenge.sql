-- Locks the payment and its authorisation, and writes the end of the challenge, with its steps in the
-- history. Writes the event of a complete authentication. Answers no row, and writes nothing, when the
-- authorisation has ended or has another holder. A status without a way in @ways has the same effect.
-- - `after` is the status behind the payment's status in @ways. The status stays when @ways is null.
-- - The form `status || ''` fits no partial index. The index of pending operations keeps an entry for every
--   operation that was pending since its last clean-up. The id leads to the one row.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
-- - The last condition is always true, and tells the audit triggers the actor.
WITH locked AS (
  SELECT t.merchant_account_id, t.id,
    CASE WHEN @ways::jsonb IS NULL THEN t.status ELSE @ways::jsonb ->> t.status END AS after
  FROM transaction t
  WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid FOR NO KEY UPDATE),
held AS (
  SELECT o.* FROM operation o
  JOIN locked l ON l.id = o.transaction_id
  WHERE o.merchant_account_id = @account AND o.id = @operation::uuid AND o.status || '' = 'pending'
    AND o.unsent AND o.lease_until = @held::timestamptz AND o.attempts = @attempts::int
    AND l.after IS NOT NULL
  FOR NO KEY UPDATE OF o),
changed AS (
  UPDATE transaction t SET three_d_secure = @threeDSecure::jsonb, status = l.after, updated_at = @now
  FROM held h, locked l
  WHERE t.merchant_account_id = ANY (ARRAY[l.merchant_account_id]) AND t.id = ANY (ARRAY[l.id])
  RETURNING t.*),
steps AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, h.id, s.transaction_id, h.name, h.context,
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now::timestamptz
  FROM held s
  CROSS JOIN jsonb_to_recordset(@steps::jsonb) AS h (id uuid, name text, context jsonb)),
event_row AS (
  SELECT c.merchant_account_id, @eventA::uuid AS event_id, 'transaction.authenticated' AS event_name,
    'transaction' AS target_type, c.id::text AS target_id, @now::timestamptz AS created_at,
    json_build_object('version', 1, 'type', 'event', 'id', @eventA::uuid, 'name', 'transaction.authenticated',
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
  FROM changed c
  WHERE c.three_d_secure ->> 'status' = 'complete'),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at, traceparent)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at,
    @traceparent::text
  FROM event_row)
SELECT row_to_json(c) AS transaction FROM changed c
WHERE set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
  true) IS NOT NULL
