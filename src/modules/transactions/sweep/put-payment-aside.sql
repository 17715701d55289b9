-- Writes that a provider gave no answer about a payment, and when the next question follows. The pauses in
-- @pausesMs are by the number of questions in vain. After the last pause no question follows. The caller has
-- the lease of the sweep.
INSERT INTO unanswered_payment AS u (merchant_account_id, payment_service_id, transaction_id, tries, cause,
  next_at)
VALUES (@account::text, @service::uuid, @payment::uuid, 1, @cause::text,
  @now::timestamptz + (@pausesMs::int[])[1] * interval '1 millisecond')
ON CONFLICT (merchant_account_id, payment_service_id, transaction_id) DO UPDATE
SET tries = u.tries + 1, cause = @cause,
  next_at = @now + (@pausesMs)[u.tries + 1] * interval '1 millisecond'
