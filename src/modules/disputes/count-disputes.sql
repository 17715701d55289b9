-- Writes the effect of a report on its payment: the count of disputes that hold refunds, and the lost amount.
-- The caller holds the lock of the payment. `updated_at` never goes back.
UPDATE transaction t SET open_disputes = t.open_disputes + @opened::int,
  dispute_lost_amount = t.dispute_lost_amount + @lost::int,
  updated_at = greatest(t.updated_at, @now::timestamptz)
WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid
