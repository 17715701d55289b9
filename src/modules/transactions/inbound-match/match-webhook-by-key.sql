-- Reads the operation that a webhook names by our key, with its payment. Answers no row when no operation has
-- the key, or when the operation of the verb is unsent.
-- - An operation's id is its key, unless the operation has a provider key.
-- - A sale has no capture operation, so a capture notice for a sale matches its authorisation. A release is a
--   cancel for the provider. An unsent operation matches nothing, because no provider knows the operation.
-- - A key under another verb is the name of another operation of the same payment. A provider may copy the
--   authorisation's name to a refund that a person makes. The provider's id then tells which refund the
--   notice is about. The operation is null without such a match.
-- - `isBehind`: an older webhook of the operation goes first. Its turn lasts until `turn_until`, and while
--   the webhook is due. A webhook without a turn delays no other. A later webhook may bring the operation,
--   the reference or the outcome for which the older one waits.
-- - The reference stands in for the key in webhooks without a key. Each half of the condition is one look-up
--   in a partial index.
-- - The form `state || ''` does not fit the index of references. A connection that planned for an empty table
--   would read all references of the service there.
-- - A payment may have several captures, refunds and increases. The provider's ids tell them apart.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
SELECT row_to_json(t) AS transaction,
  CASE
    WHEN NOT o.unsent
      AND (o.kind = @verb::text OR (@verb IN ('cancel', 'void') AND o.kind = 'release')
        OR (@verb = 'capture' AND o.kind = 'authorize'
          AND (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review'))) THEN row_to_json(o)
    ELSE (
      SELECT row_to_json(m) FROM operation m
      WHERE m.merchant_account_id = o.merchant_account_id AND m.transaction_id = o.transaction_id
        AND m.kind = @verb AND m.payment_service_id = @service::uuid AND m.provider_reference = @own::text
      LIMIT 1) END AS operation,
  (EXISTS (
    SELECT FROM inbound_webhook w
    WHERE w.merchant_account_id = @account::text AND w.payment_service_id = @service
      AND w.turn_until IS NOT NULL
      AND (w.turn_until > @now::timestamptz OR w.next_attempt_at <= @now::timestamptz)
      AND (w.received_at, w.id) < (@receivedAt::timestamptz, @id::uuid)
      AND w.notice ->> 'verb' = ANY (@verbs::text[]) AND w.state || '' = 'parked'
      AND w.operation_id = ANY (ARRAY[@key::uuid]))
    OR EXISTS (
      SELECT FROM inbound_webhook w
      WHERE w.merchant_account_id = @account AND w.payment_service_id = @service AND w.turn_until IS NOT NULL
        AND (w.turn_until > @now::timestamptz OR w.next_attempt_at <= @now::timestamptz)
        AND (w.received_at, w.id) < (@receivedAt::timestamptz, @id::uuid)
        AND w.notice ->> 'verb' = ANY (@verbs::text[]) AND w.state = 'parked' AND w.operation_id IS NULL
        AND w.provider_reference = ANY (ARRAY[t.payment_service_transaction_id, o.provider_reference])
        AND NOT coalesce(o.kind IN ('increase', 'capture', 'refund')
          AND w.notice ->> 'reference' <> @own::text, false))) AS "isBehind"
FROM operation o
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
  AND t.id = ANY (ARRAY[o.transaction_id])
WHERE o.merchant_account_id = @account AND (o.id = @key AND o.provider_key IS NULL OR o.provider_key = @key)
  AND o.payment_service_id = @service AND (NOT o.unsent OR o.kind <> @verb)
