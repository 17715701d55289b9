-- Writes the next moment to tell the payment of a claimed entry, or null when nothing is left. Changes
-- nothing when the caller has lost the lease. A match meanwhile has a moment of its own, which stays.
UPDATE settlement SET tell_at = @tellAt::timestamptz
WHERE merchant_account_id = @account::text AND id = @id::uuid AND tell_at = @leaseUntil::timestamptz
