-- Locks every delivery whose lease has ended and makes the delivery pending again. Skips deliveries that
-- another process has locked.
-- The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
UPDATE delivery d SET state = 'pending', lease = NULL, lease_until = NULL
FROM (
  SELECT endpoint_id, position FROM delivery
  WHERE state = 'leased' AND lease_until <= @now::timestamptz
    AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  FOR NO KEY UPDATE SKIP LOCKED) ended
WHERE d.position = ANY (ARRAY[ended.position]) AND d.endpoint_id = ANY (ARRAY[ended.endpoint_id])
