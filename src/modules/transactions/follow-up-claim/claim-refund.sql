-- Locks the payment, checks that a refund may start, reserves its amount, and adds the pending operation and
-- its key. Answers no row, and starts nothing, when a condition fails or a live record has the key.
--
-- - `permitted` has the rules of decide-follow-up.ts. The payment must be captured. An open dispute prevents
--   a refund without `force`.
-- - The amount null means the whole rest: the captured amount minus refunds, pending refunds and lost
--   disputes.
-- - A refund of less than the captured amount needs a definition in `parts`.
-- - The method `gift-card` means that gift cards alone pay. Then no provider takes part.
-- - `alone` has the limit of each currency for refunds without a second person. The key `*` stands for every
--   other currency. The function `refunded_alone` reads after the lock, so two people at once cannot pass
--   the limit together.
-- - `approved` gives an approved request its refund. Nothing starts if the request has a refund already.
-- - `allocate_refund` selects the captures that the refund takes from, oldest first. The function fails if
--   they cannot carry the amount.
-- - A payment with shares is claimed only while its shares are @splitsBefore, on which the caller decided.
--   The shares of the refund are in @splits.
-- - `key_written` reads `key_expired`, so that the deletion of an expired record comes first.
-- - `provider_key` is the first of the given keys that no requested operation has. Null means that the
--   operation's id is the key. A key of an operation that a restore lost, and a report booked, is refused.
-- - The condition with `set_config` is always true. The condition tells the audit triggers the actor. The
--   triggers run at the end of the statement.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH locked AS (
  SELECT t.*, s.definition_id,
    coalesce(@amount::int,
      t.captured_amount - t.refunded_amount - t.refund_pending_amount - t.dispute_lost_amount)
      AS claim_amount
  FROM transaction t
  JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
  WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid FOR UPDATE OF t),
permitted AS (
  SELECT l.* FROM locked l
  WHERE (l.definition_id = ANY (@definitions::text[]) OR l.method = 'gift-card')
    AND l.status = 'capture_succeeded' AND (@force::boolean OR l.open_disputes = 0)
    AND l.claim_amount BETWEEN 1 AND l.captured_amount - l.refunded_amount - l.refund_pending_amount
      - l.dispute_lost_amount
    AND (l.claim_amount = l.captured_amount OR l.definition_id = ANY (@parts::text[]))
    AND l.splits IS NOT DISTINCT FROM @splitsBefore::jsonb
    AND NOT EXISTS (
      SELECT 1 FROM idempotency_key k
      WHERE k.merchant_account_id = @account AND k.operation = @mutation::text AND k.key = @key
        AND k.expires_at > @now::timestamptz)
    AND CASE
      WHEN coalesce(@alone::jsonb ->> l.currency, @alone::jsonb ->> '*') IS NULL THEN true
      ELSE l.claim_amount
          + refunded_alone(l.merchant_account_id, l.id) <= (
            coalesce(@alone::jsonb ->> l.currency, @alone::jsonb ->> '*'))::int END),
approved AS (
  UPDATE refund_approval p SET operation_id = @operation::uuid, next_attempt_at = NULL FROM permitted a
  WHERE p.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND p.id = ANY (ARRAY[@approval::uuid])
    AND p.transaction_id = a.id AND p.status = 'approved' AND p.operation_id IS NULL
  RETURNING p.id),
allowed AS (
  SELECT a.* FROM permitted a WHERE @approval::uuid IS NULL OR EXISTS (SELECT FROM approved)),
key_expired AS (
  DELETE FROM idempotency_key k
  WHERE k.merchant_account_id = @account AND k.operation = @mutation AND k.key = @key AND k.expires_at <= @now
  RETURNING 1),
reserved AS (
  UPDATE transaction t SET refund_pending_amount = t.refund_pending_amount + a.claim_amount,
    splits = @splitsAfter::jsonb
  FROM allowed a
  WHERE t.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND t.id = ANY (ARRAY[a.id])
  RETURNING t.merchant_account_id, t.payment_service_id, row_to_json(t) AS transaction,
    t.xmin::text AS version),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency,
    final, idempotency_key, provider_key, actor, external_identifier, reason, provider_reference,
    refund_captures, splits, lease_until, next_attempt_at, sent_at, created_at, updated_at)
  SELECT a.merchant_account_id, @operation::uuid, a.id, a.payment_service_id, 'refund', a.claim_amount,
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
    @externalIdentifier::text, @reason::text, NULL,
    allocate_refund(a.merchant_account_id, a.id, a.claim_amount), @splits::jsonb, @leaseUntil::timestamptz,
    @leaseUntil, @now, @now, @now
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
