-- Locks the processing payment, ends its refused authorisation, and starts an authorisation at the next
-- service. The idempotency key then leads to the new operation. Answers no row, and writes nothing, while a
-- cancel is under way. Answers no row either when the old authorisation ended, was accepted or has an unknown
-- outcome.
-- - `report_values` keeps the values that the next service changes. Reports count the refusal by those of its
--   own time.
-- - `provider_key` is the first of @providerKeys that no operation has. The operation's id is the key when
--   there is none.
-- - A delayed authorisation stays delayed: the new operation is unsent when the old one is.
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
        'three_d_secure', coalesce(l.three_d_secure ->> 'status', 'none')), settled_at = @now::timestamptz,
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
  FROM ended e, moved m)
SELECT row_to_json(s) AS operation, row_to_json(m) AS transaction, pg_current_xact_id()::xid::text AS version
FROM started s, moved m
WHERE set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
  true) IS NOT NULL
