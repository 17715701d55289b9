-- Writes that a provider gave no answer about a payment, and when the next question follows. The pauses in
-- @pausesMs are by the number of questions in vain. After the last pause no question follows. A look at the
-- payment's next age then begins anew. The caller has the lease of the sweep.
INSERT INTO unanswered_payment AS u (merchant_account_id, payment_service_id, transaction_id, tries, cause,
  next_at)
VALUES (@account::text, @service::uuid, @payment::uuid, 1, @cause::text,
  @now::timestamptz + (@pausesMs::int[])[1] * interval '1 millisecond')
ON CONFLICT (merchant_account_id, payment_service_id, transaction_id) DO UPDATE
SET cause = @cause,
  tries = CASE WHEN u.next_at IS NULL THEN 1 ELSE u.tries + 1 END,
  next_at = @now
    + (@pausesMs)[CASE WHEN u.next_at IS NULL THEN 1 ELSE u.tries + 1 END] * interval '1 millisecond'
