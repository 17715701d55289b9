-- Writes the provider's id of an ended operation that has none. Our own key counts as none, because the key
-- stands in for an id that nobody knew. Answers no row, and changes nothing, when the operation is pending
-- or has an id. Only increases, reauthorisations, captures, refunds and voids learn an id.
-- - `rematched` makes webhooks that wait for the id due at once. These webhooks get their turn again before
--   later webhooks, for the 30 seconds of `TURN_MS`.
-- - SKIP LOCKED leaves out a locked webhook, because another process already applies or ends that webhook.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH learned AS (
  UPDATE operation o SET provider_reference = @reference, updated_at = greatest(o.updated_at, @now)
  WHERE o.merchant_account_id = @account::text AND o.id = @operation::uuid AND o.status <> 'pending'
    AND o.kind IN ('increase', 'reauthorize', 'capture', 'refund', 'void')
    AND (o.provider_reference IS NULL OR o.provider_reference IN (o.id::text, o.provider_key::text))
    AND o.provider_reference IS DISTINCT FROM @reference::text
  RETURNING o.*),
rematched AS (
  UPDATE inbound_webhook w SET next_attempt_at = @now,
    turn_until = @now::timestamptz + interval '30000 milliseconds'
  FROM (
    SELECT i.merchant_account_id, i.id FROM inbound_webhook i
    JOIN learned s ON i.merchant_account_id = ANY (ARRAY[s.merchant_account_id])
      AND i.payment_service_id = ANY (ARRAY[s.payment_service_id])
      AND i.provider_reference = ANY (ARRAY[s.provider_reference])
    WHERE i.state = 'parked' AND i.next_attempt_at > @now FOR UPDATE OF i SKIP LOCKED) waiting
  WHERE w.merchant_account_id = ANY (ARRAY[waiting.merchant_account_id]) AND w.id = ANY (ARRAY[waiting.id]))
SELECT id FROM learned
