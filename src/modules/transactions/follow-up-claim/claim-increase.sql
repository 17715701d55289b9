-- Locks the payment, checks that an increase may start, reserves its amount, and adds the pending
-- operation and its key. Answers no row, and starts nothing, when a condition fails or a live record has
-- the key.
--
-- - `allowed` has the rules of decide-follow-up.ts. The payment must be authorised, without a capture, a
--   void or a review. Another increase and a re-authorisation each prevent an increase.
-- - An increase has an amount of its own, so the statement refuses the amount null. The new authorised
--   amount is at most 99999999.
-- - A payment with shares has no share for an added amount.
-- - The method `gift-card` means that gift cards alone pay. Then there is no authorisation to increase.
-- - `key_written` reads `key_expired`, so that the deletion of an expired record comes first.
-- - `provider_key` is the first of the given keys that no requested operation has. Null means that the
--   operation's id is the key. A key of an operation that a restore lost, and a report booked, is refused.
-- - The condition with `set_config` is always true. The condition tells the audit triggers the actor. The
--   triggers run at the end of the statement.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH locked AS (
  SELECT t.*, s.definition_id, coalesce(@amount::int, NULL::int) AS claim_amount
  FROM transaction t
  JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
  WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid FOR UPDATE OF t),
allowed AS (
  SELECT l.* FROM locked l
  WHERE (l.definition_id = ANY (@definitions::text[]) OR l.method = 'gift-card')
    AND l.status = 'authorization_succeeded' AND NOT l.void_pending AND NOT l.capture_closed
    AND l.authorized_amount > 0 AND l.captured_amount + l.capture_pending_amount = 0
    AND l.increase_pending_amount = 0 AND NOT l.reauthorize_pending AND l.splits IS NULL
    AND coalesce(l.fraud_review, 'accepted') = 'accepted' AND NOT l.method = 'gift-card'
    AND l.claim_amount BETWEEN 1 AND 99999999 - l.authorized_amount
    AND NOT EXISTS (
      SELECT 1 FROM idempotency_key k
      WHERE k.merchant_account_id = @account AND k.operation = @mutation::text AND k.key = @key
        AND k.expires_at > @now::timestamptz)),
key_expired AS (
  DELETE FROM idempotency_key k
  WHERE k.merchant_account_id = @account AND k.operation = @mutation AND k.key = @key AND k.expires_at <= @now
  RETURNING 1),
reserved AS (
  UPDATE transaction t SET increase_pending_amount = a.claim_amount FROM allowed a
  WHERE t.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND t.id = ANY (ARRAY[a.id])
  RETURNING t.merchant_account_id, t.payment_service_id, row_to_json(t) AS transaction,
    t.xmin::text AS version),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency,
    final, idempotency_key, provider_key, actor, external_identifier, reason, provider_reference, lease_until,
    next_attempt_at, sent_at, created_at, updated_at)
  SELECT a.merchant_account_id, @operation::uuid, a.id, a.payment_service_id, 'increase', a.claim_amount,
    a.currency, @final::boolean, @key,
    (
      SELECT derived.key
      FROM unnest(@providerKeys::uuid[]) WITH ORDINALITY AS derived (key, nth)
      WHERE NOT EXISTS (
        SELECT FROM operation p
        WHERE p.merchant_account_id = @account AND p.provider_key = ANY (ARRAY[derived.key])
          AND p.origin = 'requested')
      ORDER BY derived.nth LIMIT 1),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb,
    @externalIdentifier::text, @reason::text, NULL, @leaseUntil::timestamptz, @leaseUntil, @now, @now, @now
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
