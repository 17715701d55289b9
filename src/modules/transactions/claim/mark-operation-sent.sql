-- Locks the payment, then records a new sending of the operation and extends its lease. Answers no row,
-- and changes nothing, when the operation has ended or `held` and `attempts` show another claim.
--
-- - During a cancel, the statement refuses an authorisation that was never sent, and with `cancelEnds` any
--   authorisation. The lock on the payment keeps a cancel from starting meanwhile.
-- - The new time must differ from the previous sending, whatever the clocks say. `settle` tells refusals
--   apart by the time.
-- - The form `status || ''` fits no partial index, so the id leads to the one row. The index of pending
--   operations keeps an entry for every operation that was pending since its last clean-up.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH locked AS (
  SELECT t.void_pending FROM operation o
  JOIN transaction t ON t.merchant_account_id = ANY (ARRAY[o.merchant_account_id])
    AND t.id = ANY (ARRAY[o.transaction_id])
  WHERE o.merchant_account_id = @account::text AND o.id = @operation::uuid FOR NO KEY UPDATE OF t)
UPDATE operation o SET sent_at = greatest(@now::timestamptz, o.sent_at + interval '1 millisecond'),
  lease_until = @leaseUntil::timestamptz, next_attempt_at = @leaseUntil, unsent = false
FROM locked l
WHERE o.merchant_account_id = @account AND o.id = @operation AND o.status || '' = 'pending'
  AND o.lease_until = @held::timestamptz AND o.attempts = @attempts::int
  AND NOT (o.kind = 'authorize' AND (o.unsent OR @cancelEnds::boolean) AND l.void_pending)
RETURNING row_to_json(o) AS operation
