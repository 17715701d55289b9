-- Adds one use to a payment method, even a deleted one, and one customer-initiated use if @cit is true. The
-- function `greatest` keeps the later of two moments, because uses can arrive in another order. Changes
-- nothing when the id is unknown.
UPDATE payment_method SET usage_count = usage_count + 1,
  last_used_at = greatest(last_used_at, @at::timestamptz),
  cit_usage_count = cit_usage_count + @cit::boolean::int,
  cit_last_used_at = CASE WHEN @cit::boolean THEN greatest(cit_last_used_at, @at) ELSE cit_last_used_at END
WHERE merchant_account_id = @account::text AND id = @id::uuid
