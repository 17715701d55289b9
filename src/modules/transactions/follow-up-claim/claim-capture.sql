-- Locks the payment, checks that a capture may start, reserves its amount, and adds the pending operation
-- and its key. Answers no row, and starts nothing, when a condition fails or a live record has the key.
--
-- - `allowed` has the rules of decide-follow-up.ts. A void, a re-authorisation, a review and a final
--   capture each prevent a capture. An increase does not.
-- - The amount null means the authorised amount that is left. The most is the authorised amount plus
--   `allowance`, but at most 99999999.
-- - `allowance` is the larger of the merchant account's two limits for over-capture, and at least an
--   earlier allowance. The allowance is 0 when nothing is authorised. A capture above the authorised
--   amount stores the allowance.
-- - A capture that is not final needs a definition in `parts`.
-- - The method `gift-card` means that gift cards alone pay. Then no provider takes part, and the amount
--   may be 0.
-- - A payment with shares is claimed only while its shares are @splitsBefore, on which the caller decided.
--   The shares of the capture are in @splits.
-- - `key_written` reads `key_expired`, so that the deletion of an expired record comes first.
-- - `provider_key` is the first of the given keys that no requested operation has. Null means that the
--   operation's id is the key. A key of an operation that a restore lost, and a report booked, is refused.
-- - The condition with `set_config` is always true. The condition tells the audit triggers the actor. The
--   triggers run at the end of the statement.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH locked AS (
  SELECT t.*, s.definition_id,
    coalesce(@amount::int, t.authorized_amount - t.captured_amount - t.capture_pending_amount)
      AS claim_amount,
    CASE
      WHEN t.authorized_amount = 0 THEN 0
      ELSE greatest(t.over_capture_allowance, coalesce(m.over_capture_amount, 0),
        (t.authorized_amount::bigint * coalesce(m.over_capture_percentage, 0) / 100)::int) END AS allowance
  FROM transaction t
  JOIN merchant_account m ON m.id = t.merchant_account_id
  JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
  WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid FOR UPDATE OF t),
allowed AS (
  SELECT l.* FROM locked l
  WHERE (l.definition_id = ANY (@definitions::text[]) OR l.method = 'gift-card')
    AND l.status IN ('authorization_succeeded', 'capture_pending', 'capture_succeeded') AND NOT l.void_pending
    AND NOT l.reauthorize_pending AND NOT l.capture_closed
    AND coalesce(l.fraud_review, 'accepted') = 'accepted'
    AND l.splits IS NOT DISTINCT FROM @splitsBefore::jsonb
    AND (@final::boolean OR l.definition_id = ANY (@parts::text[]))
    AND l.claim_amount BETWEEN CASE WHEN l.method = 'gift-card' THEN 0 ELSE 1 END
      AND least(l.authorized_amount + l.allowance, 99999999) - l.captured_amount - l.capture_pending_amount
    AND NOT EXISTS (
      SELECT 1 FROM idempotency_key k
      WHERE k.merchant_account_id = @account AND k.operation = @mutation::text AND k.key = @key
        AND k.expires_at > @now::timestamptz)),
key_expired AS (
  DELETE FROM idempotency_key k
  WHERE k.merchant_account_id = @account AND k.operation = @mutation AND k.key = @key AND k.expires_at <= @now
  RETURNING 1),
reserved AS (
  UPDATE transaction t SET capture_pending_amount = t.capture_pending_amount + a.claim_amount,
    capture_closed = @final, splits = @splitsAfter::jsonb,
    over_capture_allowance = CASE
      WHEN t.captured_amount + t.capture_pending_amount + a.claim_amount > t.authorized_amount
        THEN a.allowance
      ELSE t.over_capture_allowance END
  FROM allowed a
  WHERE t.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND t.id = ANY (ARRAY[a.id])
  RETURNING t.merchant_account_id, t.payment_service_id, row_to_json(t) AS transaction,
    t.xmin::text AS version),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency,
    final, idempotency_key, provider_key, actor, external_identifier, reason, provider_reference, splits,
    lease_until, next_attempt_at, sent_at, created_at, updated_at)
  SELECT a.merchant_account_id, @operation::uuid, a.id, a.payment_service_id, 'capture', a.claim_amount,
    a.currency, @final, @key,
    (
      SELECT derived.key
      FROM unnest(@providerKeys::uuid[]) WITH ORDINALITY AS derived (key, nth)
      WHERE NOT EXISTS (
        SELECT FROM operation p
        WHERE p.merchant_account_id = @account AND p.provider_key = ANY (ARRAY[derived.key])
          AND p.origin = 'requested')
      ORDER BY derived.nth LIMIT 1),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb,
    @externalIdentifier::text, @reason::text, NULL, @splits::jsonb, @leaseUntil::timestamptz, @leaseUntil,
    @now, @now, @now
  FROM allowed a RETURNING *),
key_written AS (
  INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id, result,
    created_at, expires_at)
  SELECT merchant_account_id, @mutation, @key, @fingerprint::text, @digests::text, id::text, NULL, @now,
    @keyExpiresAt::timestamptz
  FROM started
  WHERE @key::text IS NOT NULL AND (SELECT count(*) FROM key_expired) >= 0)
SELECT row_to_json(o) AS operation, r.transaction, r.version,
  json_build_object('id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id,
    'fields', s.fields, 'sealedFields', s.sealed_fields, 'webhookToken', s.webhook_token) AS connection,
  NULL::uuid AS "authorizationKey"
FROM started o, reserved r
JOIN payment_service s ON s.merchant_account_id = r.merchant_account_id AND s.id = r.payment_service_id
WHERE set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
  true) IS NOT NULL
