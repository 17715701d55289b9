-- Locks the payment of a dispute, and reads the amounts that limit a booking. Answers no row when the
-- account has no such payment. The column `isUndecided` is true while an authorisation or a capture of the
-- payment has no outcome.
SELECT t.currency, t.captured_amount AS "capturedAmount", t.refunded_amount AS "refundedAmount",
  t.refund_pending_amount AS "refundPendingAmount", t.dispute_lost_amount AS "disputeLostAmount",
  t.status IN ('processing', 'buyer_approval_pending', 'capture_pending')
  OR t.capture_pending_amount > 0 AS "isUndecided"
FROM transaction t
WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid FOR NO KEY UPDATE
