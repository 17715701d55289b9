-- Marks the payment as disputed, for the filter of lists. Changes nothing when the payment has the mark. The
-- caller holds the lock of the payment.
UPDATE transaction t SET disputed = true
WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid AND NOT t.disputed
