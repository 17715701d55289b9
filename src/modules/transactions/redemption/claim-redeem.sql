-- Locks the payment, extends the lease of its authorisation, sets the redemption to pending, and adds the
-- operation. Answers no row, and starts nothing, when the payment is not processing or the redemption has
-- started.
--
-- - A cancel prevents a redemption, because a redemption that started then would have to be reversed.
-- - `held` and `attempts` refuse an authorisation that another process has claimed. The statement refuses
--   a sent authorisation too.
-- - `touched` changes nothing but the payment's version. The version after the statement is the id of the
--   database transaction.
-- - The form `status || ''` fits no partial index, so the id leads to the one row. The index of pending
--   operations keeps an entry for every operation that was pending since its last clean-up.
-- - `provider_key` is the first of the given keys that no operation has. Null means that the operation's
--   id is the key.
-- - The condition with `set_config` is always true. The condition tells the audit triggers the actor. The
--   triggers run at the end of the statement.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH locked AS (
  SELECT t.* FROM transaction t
  WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid AND t.status = 'processing'
    AND NOT t.void_pending
  FOR NO KEY UPDATE),
held AS (
  UPDATE operation o SET lease_until = @leaseUntil::timestamptz, next_attempt_at = @leaseUntil,
    updated_at = @now::timestamptz
  FROM locked l
  WHERE o.merchant_account_id = @account AND o.id = @operation::uuid AND o.status || '' = 'pending'
    AND o.unsent AND o.lease_until = @held::timestamptz AND o.attempts = @attempts::int
  RETURNING o.*),
begun AS (
  UPDATE redemption r SET status = 'pending', updated_at = @now FROM held h
  WHERE r.merchant_account_id = h.merchant_account_id AND r.id = @redemption::uuid AND r.status = 'created'
  RETURNING r.*),
touched AS (
  UPDATE transaction t SET updated_at = t.updated_at FROM begun b
  WHERE t.merchant_account_id = ANY (ARRAY[b.merchant_account_id]) AND t.id = ANY (ARRAY[b.transaction_id])),
started AS (
  INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency,
    redemption_id, provider_key, actor, lease_until, next_attempt_at, sent_at, created_at, updated_at)
  SELECT b.merchant_account_id, b.id, b.transaction_id, b.payment_service_id, 'redeem', b.amount, b.currency,
    b.id,
    (
      SELECT derived.key
      FROM unnest(@providerKeys::uuid[]) WITH ORDINALITY AS derived (key, nth)
      WHERE NOT EXISTS (
        SELECT FROM operation p
        WHERE p.merchant_account_id = @account AND p.provider_key = ANY (ARRAY[derived.key]))
      ORDER BY derived.nth LIMIT 1),
    coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @leaseUntil,
    @leaseUntil, @now, @now, @now
  FROM begun b RETURNING *)
SELECT row_to_json(h) AS "authorization", row_to_json(o) AS operation, row_to_json(l) AS transaction,
  pg_current_xact_id()::xid::text AS version,
  json_build_object('id', s.id, 'displayName', s.display_name, 'definitionId', s.definition_id,
    'fields', s.fields, 'sealedFields', s.sealed_fields, 'webhookToken', s.webhook_token) AS connection
FROM started o, held h, locked l
JOIN payment_service s ON s.merchant_account_id = l.merchant_account_id
WHERE s.id = o.payment_service_id
  AND set_config('paygraph.actor', coalesce(@actor::text, current_setting('paygraph.actor', true), ''),
    true) IS NOT NULL
