-- Notes that a webhook named a payment, by the provider's id of the payment or of a capture. Counts the
-- webhook if the payment waits for a question already, and keeps an earlier time of the question.
-- Writes and answers nothing for an id that the payment service has no payment with. An earlier attempt at
-- the payment service counts too.
-- COLLATE "C" fits the index of the payments' references.
INSERT INTO reported_payment AS r (merchant_account_id, payment_service_id, reference, reports, tries,
  next_at)
SELECT @account::text, @service::uuid, @reference::text, 1, 0, @nextAt::timestamptz
WHERE EXISTS (
    SELECT FROM transaction t
    WHERE t.merchant_account_id = @account AND t.payment_service_id = @service
      AND t.payment_service_transaction_id = @reference COLLATE "C")
  OR EXISTS (
    SELECT FROM operation o
    WHERE o.merchant_account_id = @account AND o.provider_reference = @reference
      AND o.payment_service_id = @service AND o.kind IN ('authorize', 'capture'))
ON CONFLICT (merchant_account_id, payment_service_id, reference) DO UPDATE
SET reports = r.reports + 1, next_at = least(r.next_at, excluded.next_at)
RETURNING true AS "isNoted"
