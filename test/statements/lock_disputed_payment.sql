-- $1 account, $2 transaction
SELECT t.currency, t.captured_amount AS "capturedAmount", t.refunded_amount AS "refundedAmount",
  t.refund_pending_amount AS "refundPendingAmount", t.dispute_lost_amount AS "disputeLostAmount",
  t.status IN ('processing', 'buyer_approval_pending', 'capture_pending') OR t.capture_pending_amount > 0 AS "isUndecided"
FROM transaction t WHERE t.merchant_account_id = $1 AND t.id = $2 FOR NO KEY UPDATE
