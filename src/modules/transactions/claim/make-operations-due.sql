-- Makes the pending operations of one kind of a payment due. A capture includes the authorisation, because
-- an authorisation may also capture. Leaves out operations under a lease.
--
-- - SKIP LOCKED leaves out locked rows, because another process claims or settles them. Waiting for them
--   could be a deadlock.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH waiting AS (
  SELECT o.merchant_account_id, o.id FROM operation o
  WHERE o.merchant_account_id = @account::text AND o.transaction_id = @transaction::uuid
    AND o.status = 'pending' AND (o.kind = @verb::text OR (@verb = 'capture' AND o.kind = 'authorize'))
    AND (o.lease_until IS NULL OR o.lease_until <= @now::timestamptz)
  FOR UPDATE SKIP LOCKED)
UPDATE operation o SET next_attempt_at = @now FROM waiting w
WHERE o.merchant_account_id = ANY (ARRAY[w.merchant_account_id]) AND o.id = ANY (ARRAY[w.id])
