-- Reads at most 50 matches of a webhook that names the provider's id of a capture, in no order. A refund that
-- a person makes may name its capture alone. The capture of a sale has an id that is in no row. A payment
-- without a possible operation is in one row with a null operation.
-- - A sale has no capture operation, so a capture notice for a sale matches its authorisation. A release is a
--   cancel for the provider. An unsent operation matches nothing, because no provider knows the operation.
-- - An operation from after the notice cannot match by its payment. Clocks may differ, so the caller decides
--   about the 15 minutes in between.
-- - An operation with another reference cannot match. A pending cancel carries the payment's reference in
--   place of its own. A sale carries the payment's reference too, because its capture has another id. Our own
--   key stands in for an id that nobody knew.
-- - `isBehind`: an older webhook of the operation goes first. Its turn lasts until `turn_until`, and while
--   the webhook is due. A webhook without a turn delays no other. A later webhook may bring the operation,
--   the reference or the outcome for which the older one waits.
-- - The reference stands in for the key in webhooks without a key. Each half of the condition is one look-up
--   in a partial index.
-- - The form `state || ''` does not fit the index of references. A connection that planned for an empty table
--   would read all references of the service there.
-- - A payment may have several captures, refunds and increases. The provider's ids tell them apart.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
SELECT row_to_json(t) AS transaction, row_to_json(o) AS operation,
  (EXISTS (
    SELECT FROM inbound_webhook w
    WHERE w.merchant_account_id = @account::text AND w.payment_service_id = @service::uuid
      AND w.turn_until IS NOT NULL
      AND (w.turn_until > @now::timestamptz OR w.next_attempt_at <= @now::timestamptz)
      AND (w.received_at, w.id) < (@receivedAt::timestamptz, @id::uuid)
      AND w.notice ->> 'verb' = ANY (@verbs::text[]) AND w.state || '' = 'parked'
      AND w.operation_id = ANY (ARRAY[coalesce(o.provider_key, o.id)]))
    OR EXISTS (
      SELECT FROM inbound_webhook w
      WHERE w.merchant_account_id = @account AND w.payment_service_id = @service AND w.turn_until IS NOT NULL
        AND (w.turn_until > @now::timestamptz OR w.next_attempt_at <= @now::timestamptz)
        AND (w.received_at, w.id) < (@receivedAt::timestamptz, @id::uuid)
        AND w.notice ->> 'verb' = ANY (@verbs::text[]) AND w.state = 'parked' AND w.operation_id IS NULL
        AND w.provider_reference = ANY (ARRAY[t.payment_service_transaction_id, o.provider_reference])
        AND NOT coalesce(o.kind IN ('increase', 'capture', 'refund')
          AND w.notice ->> 'reference' <> @own::text, false))) AS "isBehind"
FROM operation c
JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[c.merchant_account_id])
  AND t.id = ANY (ARRAY[c.transaction_id])
LEFT JOIN operation o ON o.merchant_account_id = c.merchant_account_id AND o.transaction_id = c.transaction_id
  AND o.payment_service_id = @service AND NOT o.unsent
  AND (o.kind = @verb::text OR (@verb IN ('cancel', 'void') AND o.kind = 'release')
    OR (@verb = 'capture' AND o.kind = 'authorize'
      AND (t.intent = 'capture' AND t.anti_fraud_decision IS DISTINCT FROM 'review')))
  AND o.created_at <= @receivedAt::timestamptz + interval '15 minutes'
  AND (@own::text IS NULL OR o.provider_reference IS NULL OR o.provider_reference = @own
    OR o.provider_reference IN (o.id::text, o.provider_key::text)
    OR (o.kind = 'cancel' AND o.status = 'pending') OR (@verb = 'capture' AND o.kind = 'authorize'))
WHERE c.merchant_account_id = @account AND c.provider_reference = @capture::text
  AND c.payment_service_id = @service AND c.kind IN ('authorize', 'capture')
LIMIT 50
