-- Locks at most 500 pending approvals after their time, the oldest first, and writes that they expired.
-- Makes their pending operations due, and answers the ids of the operations that were not due before.
--
-- - The bound is `EXPIRED_MAX`, so that no other statement waits long for the rows.
-- - SKIP LOCKED leaves out an approval that another process decides or ends.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH late AS (
  SELECT merchant_account_id, operation_id FROM approval
  WHERE state = 'pending' AND expires_at <= @now::timestamptz
    AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY expires_at LIMIT 500 FOR UPDATE SKIP LOCKED),
expired AS (
  UPDATE approval a SET state = 'expired', decided_at = @now FROM late l
  WHERE a.merchant_account_id = l.merchant_account_id AND a.operation_id = l.operation_id
  RETURNING a.merchant_account_id, a.operation_id)
UPDATE operation o SET next_attempt_at = @now FROM expired e
WHERE o.merchant_account_id = ANY (ARRAY[e.merchant_account_id]) AND o.id = ANY (ARRAY[e.operation_id])
  AND o.status = 'pending' AND (o.next_attempt_at IS NULL OR o.next_attempt_at > @now)
RETURNING o.id
