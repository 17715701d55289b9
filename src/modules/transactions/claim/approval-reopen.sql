-- Locks the pending operation, deletes the buyer's sealed return, and sets the approval back to pending.
-- Changes nothing when the operation has ended, or `attempts` shows another claim since. An approval
-- without a return or a completion stays.
--
-- - `sealed_form` gets the client's next action. With null, the present form stays.
-- - `resumed_after` becomes null after the first attempt since the mark: its answer leaves no request
--   under way. The mark stays after later attempts, because an earlier request without an answer may still
--   arrive.
-- - The form `status || ''` fits no partial index, so the id leads to the one row. The index of pending
--   operations keeps an entry for every operation that was pending since its last clean-up.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
WITH held AS (
  SELECT o.merchant_account_id, o.id FROM operation o
  WHERE o.merchant_account_id = @account::text AND o.id = @operation::uuid AND o.status || '' = 'pending'
    AND o.attempts = @attempts::int
  FOR UPDATE),
forgotten AS (
  UPDATE operation o SET sealed_returned = NULL, sealed_form = coalesce(@sealedForm::text, o.sealed_form)
  FROM held h
  WHERE o.merchant_account_id = ANY (ARRAY[h.merchant_account_id]) AND o.id = ANY (ARRAY[h.id]))
UPDATE approval a SET state = 'pending', decided_at = NULL,
  resumed_after = CASE WHEN a.resumed_after + 1 < @attempts THEN a.resumed_after END
FROM held o
WHERE a.merchant_account_id = ANY (ARRAY[o.merchant_account_id]) AND a.operation_id = ANY (ARRAY[o.id])
  AND (a.state = 'returned' OR (a.kind = 'session' AND a.state = 'approved'))
