-- Locks the pending operation, ends its lease, and sets its next attempt. Adds a history entry for the
-- first unknown outcome. Changes nothing when the operation has ended, or `attempts` shows another claim
-- since.
--
-- - `why` is the cause of the unknown outcome, and null otherwise. An accepted operation counts as unknown
--   only after its window.
-- - `due_at` keeps a next attempt before the end of the lease. Such a time means that another statement
--   made the operation due meanwhile.
-- - `@isAccepted`: the provider has said again that it decides later.
-- - The form `status || ''` fits no partial index, so the id leads to the one row. The index of pending
--   operations keeps an entry for every operation that was pending since its last clean-up.
WITH before AS (
  SELECT o.unknown_at,
    CASE
      WHEN o.accepted_at IS NULL THEN @cause::text
      WHEN o.decision_until <= @now::timestamptz THEN 'undecided' END AS why,
    CASE WHEN o.next_attempt_at < o.lease_until THEN o.next_attempt_at END AS due_at
  FROM operation o
  WHERE o.merchant_account_id = @account::text AND o.id = @operation::uuid AND o.status || '' = 'pending'
    AND o.attempts = @attempts::int
  FOR UPDATE),
released AS (
  UPDATE operation o SET lease_until = NULL, updated_at = @now,
    next_attempt_at = coalesce(b.due_at, @nextAttemptAt::timestamptz),
    unknown_at = CASE WHEN b.why IS NOT NULL THEN coalesce(o.unknown_at, @now) END, unknown_cause = b.why,
    accepted_again_at = CASE WHEN @isAccepted::boolean THEN @now ELSE o.accepted_again_at END
  FROM before b
  WHERE o.merchant_account_id = @account AND o.id = @operation AND o.status || '' = 'pending' RETURNING o.*)
INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
SELECT r.merchant_account_id, @historyId::uuid, r.transaction_id, 'payment-connector-outcome-unknown',
  jsonb_build_object('operation_id', r.id, 'kind', r.kind, 'payment_service_id', r.payment_service_id,
    'cause', b.why), coalesce(@actor::text, nullif(current_setting('paygraph.actor', true), ''))::jsonb, @now
FROM released r, before b
WHERE b.why IS NOT NULL AND b.unknown_at IS NULL
