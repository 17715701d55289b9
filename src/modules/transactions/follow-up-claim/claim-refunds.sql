-- Locks the payment and then its redemptions, checks that all parts of the refund fit, and reserves them.
-- Adds a pending operation for each part, and the key. Answers no row, and starts nothing, when one part
-- does not fit. The status of the payment or a live record of the key has the same effect.
--
-- - `cards` locks the succeeded redemptions that can carry their parts. Nothing starts if `cards` lacks one
--   of the given redemptions.
-- - `on_method` is the part for the payment method. The part must fit the captured amount, minus refunds and
--   lost disputes. An open dispute prevents that part without `force`.
-- - A payment with shares has no gift cards, and is refunded by claim-refund.sql.
-- - `alone` has the limit of each currency for refunds without a second person. The key `*` stands for every
--   other currency. The function `refunded_alone` reads after the lock, so two people at once cannot pass
--   the limit together.
-- - `approved` gives an approved request its refund. Nothing starts if the request has a refund already.
-- - `allocate_refund` selects the captures that the refund takes from, oldest first. The function fails if
--   they cannot carry the amount.
-- - The first operation keeps the idempotency key. Its id is the `batch_id` of all operations.
-- - `version` is null, so the settlement of each refund reads the payment anew.
-- - `key_written` reads `key_expired`, so that the deletion of an expired record comes first.
-- - `provider_key` is the first of the part's keys that no requested operation has. Null means that the
--   operation's id is the key. A key of an operation that a restore lost, and a report booked, is refused.
-- - The condition with `set_config` is always true. The condition tells the audit triggers the actor. The
--   triggers run at the end of the statement.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH given AS (
  SELECT *
  FROM jsonb_to_recordset(@refunds::jsonb)
    AS g (operation uuid, redemption uuid, amount int, provider_keys uuid[])),
locked AS (
  SELECT t.* FROM transaction t
  WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid FOR UPDATE),
cards AS (
  SELECT r.id FROM locked l
  JOIN given g ON g.redemption IS NOT NULL
  JOIN redemption r ON r.merchant_account_id = l.merchant_account_id AND r.id = g.redemption
    AND r.transaction_id = l.id
  WHERE r.status = 'succeeded' AND r.refunded_amount + r.refund_pending_amount + g.amount <= r.amount
  FOR NO KEY UPDATE OF r),
permitted AS (
  SELECT l.*, m.on_method FROM locked l
  CROSS JOIN (
    SELECT coalesce(sum(amount) FILTER (WHERE redemption IS NULL), 0)::int AS on_method,
      sum(amount)::int AS whole
    FROM given) m
  WHERE l.status = ANY (@statuses::text[]) AND l.splits IS NULL
    AND (m.on_method = 0 OR (@force::boolean OR l.open_disputes = 0)
      AND l.refunded_amount + l.refund_pending_amount + m.on_method <= l.captured_amount
        - l.dispute_lost_amount) AND (SELECT count(*) FROM cards) = (SELECT count(redemption) FROM given)
    AND NOT EXISTS (
      SELECT 1 FROM idempotency_key k
      WHERE k.merchant_account_id = @account AND k.operation = @mutation::text AND k.key = @key
        AND k.expires_at > @now::timestamptz)
    AND CASE
      WHEN coalesce(@alone::jsonb ->> l.currency, @alone::jsonb ->> '*') IS NULL THEN true
      ELSE m.whole
          + refunded_alone(l.merchant_account_id, l.id) <= (
            coalesce(@alone::jsonb ->> l.currency, @alone::jsonb ->> '*'))::int END),
approved AS (
  UPDATE refund_approval p SET operation_id = @first::uuid, next_attempt_at = NULL FROM permitted a
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
  UPDATE transaction t SET refund_pending_amount = t.refund_pending_amount + a.on_method FROM allowed a
  WHERE t.merchant_account_id = ANY (ARRAY[a.merchant_account_id]) AND t.id = ANY (ARRAY[a.id])
  RETURNING t.*),
reserved_cards AS (
  UPDATE redemption r SET refund_pending_amount = r.refund_pending_amount + g.amount, updated_at = @now
  FROM given g, allowed a
  WHERE r.merchant_account_id = a.merchant_account_id AND r.id = g.redemption
  RETURNING r.id, r.payment_service_id),
made AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency,
    redemption_id, batch_id, idempotency_key, provider_key, actor, external_identifier, reason,
    refund_captures, lease_until, next_attempt_at, sent_at, created_at, updated_at)
  SELECT a.merchant_account_id, g.operation, a.id, coalesce(c.payment_service_id, a.payment_service_id),
    'refund', g.amount, a.currency, g.redemption, @first::uuid,
    CASE WHEN g.operation = @first THEN @key::text END,
    (
      SELECT derived.key
      FROM unnest(g.provider_keys) WITH ORDINALITY AS derived (key, nth)
      WHERE NOT EXISTS (
        SELECT FROM operation p
        WHERE p.merchant_account_id = @account AND p.provider_key = ANY (ARRAY[derived.key])
          AND p.origin = 'requested')
      ORDER BY derived.nth LIMIT 1),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb,
    @externalIdentifier::text, @reason::text,
    CASE WHEN g.redemption IS NULL THEN allocate_refund(a.merchant_account_id, a.id, g.amount) END,
    @leaseUntil::timestamptz, @leaseUntil, @now, @now, @now
  FROM allowed a
  CROSS JOIN given g
  LEFT JOIN reserved_cards c ON c.id = g.redemption RETURNING *),
started AS (SELECT * FROM made WHERE id = @first),
key_written AS (
  INSERT INTO idempotency_key (merchant_account_id, operation, key, fingerprint, digests, resource_id, result,
    created_at, expires_at)
  SELECT merchant_account_id, @mutation, @key, @fingerprint::text, @digests::text, id::text, NULL, @now,
    @keyExpiresAt::timestamptz
  FROM started
  WHERE @key::text IS NOT NULL AND (SELECT count(*) FROM key_expired) >= 0)
SELECT row_to_json(o) AS operation, row_to_json(r) AS transaction,
  json_build_object('id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id,
    'fields', s.fields, 'sealedFields', s.sealed_fields, 'webhookToken', s.webhook_token) AS connection,
  NULL AS version, NULL AS "authorizationKey"
FROM made o
CROSS JOIN reserved r
JOIN payment_service s ON s.merchant_account_id = r.merchant_account_id AND s.id = o.payment_service_id
WHERE set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
  true) IS NOT NULL
ORDER BY o.id
