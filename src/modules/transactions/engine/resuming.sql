-- Reads, without a lock, if an accepted authorisation of the payment has a mark in `resumed_after`. Only
-- acceptances after `since` count. The mark means that a request to continue the payment may be under way.
--
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
SELECT EXISTS (
  SELECT FROM operation o
  JOIN approval a ON o.merchant_account_id = ANY (ARRAY[a.merchant_account_id])
    AND o.id = ANY (ARRAY[a.operation_id])
  WHERE o.merchant_account_id = @account::text AND o.transaction_id = @transaction::uuid
    AND o.kind = 'authorize' AND o.accepted_at > @since::timestamptz
    AND a.resumed_after IS NOT NULL) AS resuming
