-- Locks the processing payment, ends its refused authorisation, and starts an authorisation at the next
-- service. The idempotency key then leads to the new operation. Answers no row, and writes nothing, while a
-- cancel is under way. Answers no row either when the old authorisation ended, was accepted or has an unknown
-- outcome.
-- - `report_values` keeps the values that the next service changes. Reports count the refusal by those of its
--   own time.
-- - `provider_key` is the first of @providerKeys that no operation has. The operation's id is the key when
--   there is none.
-- - A delayed authorisation stays delayed: the new operation is unsent when the old one is.
-- - `steps`, `event_row` and `awaited` write the buyer's authentication: its history, its event, and the
--   awaited challenge. Authentications that neither wait for the buyer nor are complete have no event.
-- - `version` is the number of the database transaction. The written row of the payment has that number as
--   its xmin.
-- - The form `status || ''` fits no partial index. The index of pending operations keeps an entry for every
--   operation that was pending since its last clean-up. The id leads to the one row.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
-- - The last condition is always true, and tells the audit triggers the actor.
WITH locked AS (
  SELECT t.* FROM transaction t
  WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid AND t.status = 'processing'
    AND NOT t.void_pending
  FOR NO KEY UPDATE),
ended AS (
  UPDATE operation o SET status = @outcome::text,
    provider_reference = coalesce(@reference::text, o.provider_reference), error_code = @errorCode::text,
    raw_response_code = @rawResponseCode::text, raw_response_description = @rawResponseDescription::text,
    auth_response_code = @authResponseCode::text, network_response_code = @networkResponseCode::text,
    merchant_advice_code = @merchantAdviceCode::text,
    report_values
      = jsonb_build_object('scheme', coalesce(l.card_scheme, ''),
        'card_country', coalesce(l.card_country, ''),
        'three_d_secure', coalesce(l.three_d_secure ->> 'status', 'none')), settled_at = @now,
    updated_at = @now, lease_until = NULL, next_attempt_at = NULL, sealed_card = NULL, unknown_at = NULL,
    unknown_cause = NULL
  FROM locked l
  WHERE o.merchant_account_id = @account AND o.id = @operation::uuid AND o.status || '' = 'pending'
    AND o.accepted_at IS NULL AND o.unknown_at IS NULL
  RETURNING o.*),
moved AS (
  UPDATE transaction t SET payment_service_id = @service::uuid, payment_service_transaction_id = NULL,
    approval_expires_at = @approvalExpiresAt::timestamptz, approval_url = @approvalUrl::text,
    status = @status::text, three_d_secure = coalesce(@threeDSecure::jsonb, t.three_d_secure),
    routing = coalesce(@routing::jsonb, t.routing), circuits = coalesce(@circuits::jsonb, t.circuits),
    updated_at = @now
  FROM ended e
  WHERE t.merchant_account_id = ANY (ARRAY[e.merchant_account_id]) AND t.id = ANY (ARRAY[e.transaction_id])
  RETURNING t.*),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, choice, amount,
    currency, idempotency_key, provider_key, actor, sealed_card, tokenizes, unsent, attempts, lease_until,
    next_attempt_at, sent_at, created_at, updated_at)
  SELECT e.merchant_account_id, @nextOperation::uuid, e.transaction_id, m.payment_service_id, 'authorize',
    @choice::text, e.amount, e.currency, e.idempotency_key,
    (
      SELECT derived.key
      FROM unnest(@providerKeys::uuid[]) WITH ORDINALITY AS derived (key, nth)
      WHERE NOT EXISTS (
        SELECT FROM operation p
        WHERE p.merchant_account_id = @account AND p.provider_key = ANY (ARRAY[derived.key]))
      ORDER BY derived.nth LIMIT 1), e.actor, @sealedCard::text, @tokenizes::boolean, @unsent::boolean
    OR e.unsent, @attempts::int, @leaseUntil::timestamptz, @leaseUntil, @now, @now, @now
  FROM ended e, moved m RETURNING *),
rekeyed AS (
  UPDATE idempotency_key k SET resource_id = @nextOperation::uuid::text FROM ended e
  WHERE k.merchant_account_id = e.merchant_account_id AND k.operation = @mutation::text
    AND k.key = e.idempotency_key AND k.resource_id = e.id::text),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT e.merchant_account_id, @historyId::uuid, e.transaction_id, @historyName::text,
    @historyContext::jsonb,
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now
  FROM ended e, moved m),
steps AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT s.merchant_account_id, h.id, s.transaction_id, h.name, h.context,
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now::timestamptz
  FROM started s
  CROSS JOIN jsonb_to_recordset(@steps::jsonb) AS h (id uuid, name text, context jsonb)),
event_row AS (
  SELECT c.merchant_account_id, @eventA::uuid AS event_id,
    CASE c.status
      WHEN 'buyer_approval_pending' THEN 'transaction.authentication-pending'
      ELSE 'transaction.authenticated' END AS event_name, 'transaction' AS target_type,
    c.id::text AS target_id, @now::timestamptz AS created_at,
    json_build_object('version', 1, 'type', 'event', 'id', @eventA::uuid,
      'name', CASE c.status
        WHEN 'buyer_approval_pending' THEN 'transaction.authentication-pending'
        ELSE 'transaction.authenticated' END,
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
  FROM moved c
  WHERE (c.status = 'buyer_approval_pending' OR c.three_d_secure ->> 'status' = 'complete')),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at, traceparent)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at,
    @traceparent::text
  FROM event_row),
awaited AS (
  INSERT INTO approval (merchant_account_id, operation_id, kind, token, expires_at, created_at)
  SELECT s.merchant_account_id, s.id, 'challenge', @approvalToken, @challengeExpiresAt::timestamptz, @now
  FROM started s WHERE @approvalToken::text IS NOT NULL)
SELECT row_to_json(s) AS operation, row_to_json(m) AS transaction, pg_current_xact_id()::xid::text AS version
FROM started s, moved m
WHERE set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
  true) IS NOT NULL
