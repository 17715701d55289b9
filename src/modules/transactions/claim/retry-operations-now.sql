-- Makes the operations of unknown outcome of one payment service due. Leaves out accepted operations,
-- those under a lease, and those that are due already.
--
-- - SKIP LOCKED leaves out locked rows, because another process claims or settles them. Waiting for them
--   could be a deadlock.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH waiting AS (
  SELECT merchant_account_id, id FROM operation
  WHERE merchant_account_id = @account::text AND payment_service_id = @service::uuid AND status = 'pending'
    AND unknown_at IS NOT NULL AND accepted_at IS NULL AND next_attempt_at > @now::timestamptz
    AND (lease_until IS NULL OR lease_until <= @now)
  FOR UPDATE SKIP LOCKED)
UPDATE operation o SET next_attempt_at = @now FROM waiting w
WHERE o.merchant_account_id = ANY (ARRAY[w.merchant_account_id]) AND o.id = ANY (ARRAY[w.id])
