-- Locks the payment, ends its open review, and adds the pending capture or void that follows and the key.
-- Writes the history entry and the event. Answers no row when no review is open, a void is under way, or a
-- live record has the key.
-- - `follows` is the intended capture, or the release of the authorisation, and null when nothing follows.
-- - `started` is the operation that follows, or else the unchanged authorisation. The key answers with
--   `started`. The record of the key gets its result at once when nothing follows.
-- - A capture is of the authorised amount. With shares, a capture is of the whole shares, which an increase
--   at the provider leaves behind. Nothing follows if the provider approved less than the shares.
-- - `allowed` requires that the statement sees the settled authorisation. A statement that waited for the
--   settle sees the new payment row, and all other rows as they were before. Such a statement writes nothing,
--   and the caller claims again.
-- - `key_written` reads `key_expired`, so the deletion of an expired record of the key comes first.
-- - `provider_key` is the first of @providerKeys that no operation has. The operation's id is the key when
--   there is none.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
-- - The last condition is always true, and tells the audit triggers the actor.
WITH locked AS (
  SELECT t.*, s.definition_id FROM transaction t
  JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
  WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid FOR UPDATE OF t),
allowed AS (
  SELECT l.*, coalesce(splits_sum(l.splits), l.authorized_amount)::int AS claim_amount,
    CASE
      WHEN @decision = 'accept'
        THEN CASE
          WHEN l.intent = 'capture' AND coalesce(splits_sum(l.splits), 0) <= l.authorized_amount
            THEN 'capture' END
      WHEN l.authorized_amount + l.gift_card_amount > 0
        AND (l.definition_id = ANY (@voiding::text[]) OR l.method = 'gift-card') THEN 'void' END AS follows
  FROM locked l
  WHERE l.fraud_review = 'pending' AND l.status = 'authorization_succeeded' AND NOT l.void_pending
    AND EXISTS (
      SELECT FROM operation o
      WHERE o.merchant_account_id = l.merchant_account_id AND o.transaction_id = l.id AND o.kind = 'authorize'
        AND o.status = 'succeeded')
    AND NOT EXISTS (
      SELECT 1 FROM idempotency_key k
      WHERE k.merchant_account_id = @account AND k.operation = @mutation::text AND k.key = @key
        AND k.expires_at > @now)),
key_expired AS (
  DELETE FROM idempotency_key k
  WHERE k.merchant_account_id = @account AND k.operation = @mutation AND k.key = @key AND k.expires_at <= @now
  RETURNING 1),
resolved AS (
  UPDATE transaction t SET fraud_review = CASE @decision WHEN 'accept' THEN 'accepted' ELSE 'rejected' END,
    capture_pending_amount = CASE a.follows WHEN 'capture' THEN a.claim_amount ELSE 0 END,
    capture_closed = a.follows IS NOT DISTINCT FROM 'capture',
    splits = CASE a.follows
      WHEN 'capture'
        THEN (
          SELECT jsonb_agg(p.share || jsonb_build_object('capturePendingAmount', p.share -> 'amount')
            ORDER BY p.nth)
          FROM jsonb_array_elements(a.splits) WITH ORDINALITY AS p (share, nth))
      ELSE t.splits END,
    void_pending = a.follows IS NOT DISTINCT FROM 'void', updated_at = @now
  FROM allowed a
  WHERE t.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND t.id = ANY (ARRAY[a.id])
  RETURNING t.*),
following AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency,
    idempotency_key, provider_key, actor, splits, lease_until, next_attempt_at, sent_at, created_at,
    updated_at)
  SELECT a.merchant_account_id, @operation::uuid, a.id, a.payment_service_id, a.follows,
    CASE a.follows WHEN 'capture' THEN a.claim_amount ELSE a.authorized_amount END, a.currency, @key,
    (
      SELECT derived.key
      FROM unnest(@providerKeys::uuid[]) WITH ORDINALITY AS derived (key, nth)
      WHERE NOT EXISTS (
        SELECT FROM operation p
        WHERE p.merchant_account_id = @account AND p.provider_key = ANY (ARRAY[derived.key]))
      ORDER BY derived.nth LIMIT 1),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb,
    CASE
      WHEN a.follows = 'capture' AND a.splits IS NOT NULL
        THEN (
          SELECT jsonb_build_object('inProportion', true, 'shares', jsonb_agg(p.share
            - ARRAY['capturePendingAmount', 'capturedAmount', 'refundPendingAmount', 'refundedAmount']
            ORDER BY p.nth))
          FROM jsonb_array_elements(a.splits) WITH ORDINALITY AS p (share, nth)) END,
    @leaseUntil::timestamptz, @leaseUntil, @now, @now, @now
  FROM allowed a WHERE a.follows IS NOT NULL RETURNING *),
started AS (
  SELECT f.* FROM following f
  UNION ALL
  SELECT o.* FROM allowed a
  JOIN operation o ON o.merchant_account_id = a.merchant_account_id AND o.transaction_id = a.id
    AND o.kind = 'authorize' AND o.status = 'succeeded'
  WHERE a.follows IS NULL),
key_written AS (
  INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id, result,
    created_at, expires_at)
  SELECT merchant_account_id, @mutation, @key, @fingerprint::text, @digests::text, id::text,
    CASE started.kind
      WHEN 'authorize'
        THEN (
          SELECT json_build_object('operation', row_to_json(started), 'transaction', row_to_json(r))::text
          FROM resolved r) END, @now, @keyExpiresAt::timestamptz
  FROM started
  WHERE @key::text IS NOT NULL AND (SELECT count(*) FROM key_expired) >= 0),
history_written AS (
  INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
  SELECT r.merchant_account_id, @historyId::uuid, r.id, 'anti-fraud-review-resolved',
    jsonb_strip_nulls(@audit::jsonb
      || jsonb_build_object('decision', @decision::text, 'operation_id', f.id, 'anti_fraud_service_id', s.id,
        'anti_fraud_service_display_name', s.display_name,
        'anti_fraud_service_definition_id', s.definition_id)),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now
  FROM resolved r
  JOIN anti_fraud_service s ON s.merchant_account_id = r.merchant_account_id
    AND s.id = r.anti_fraud_service_id
  LEFT JOIN following f ON true),
event_row AS (
  SELECT c.merchant_account_id, @eventA::uuid AS event_id,
    CASE c.fraud_review
      WHEN 'accepted' THEN 'transaction.review-accepted'
      ELSE 'transaction.review-rejected' END AS event_name, 'transaction' AS target_type,
    c.id::text AS target_id, @now::timestamptz AS created_at,
    json_build_object('version', 1, 'type', 'event', 'id', @eventA::uuid,
      'name', CASE c.fraud_review
        WHEN 'accepted' THEN 'transaction.review-accepted'
        ELSE 'transaction.review-rejected' END,
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
  FROM resolved c),
event_written AS (
  INSERT INTO event (merchant_account_id, id, name, target_type, target_id, payload, created_at, traceparent)
  SELECT merchant_account_id, event_id, event_name, target_type, target_id, payload, created_at,
    @traceparent::text
  FROM event_row)
SELECT row_to_json(o) AS operation, row_to_json(r) AS transaction,
  json_build_object('id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id,
    'fields', s.fields, 'sealedFields', s.sealed_fields, 'webhookToken', s.webhook_token) AS connection,
  NULL AS version, NULL AS "authorizationKey"
FROM started o, resolved r
JOIN payment_service s ON s.merchant_account_id = r.merchant_account_id AND s.id = r.payment_service_id
WHERE set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
  true) IS NOT NULL
