-- Reads one payment with the definition of its payment service and its over-capture allowance. Answers no
-- row when the account has no such payment.
--
-- - `allowance` is the larger of the merchant account's two limits for over-capture, and at least an earlier
--   allowance. The allowance is 0 when nothing is authorised.
SELECT row_to_json(t) AS transaction, s.definition_id AS "definitionId",
  CASE
    WHEN t.authorized_amount = 0 THEN 0
    ELSE greatest(t.over_capture_allowance, coalesce(m.over_capture_amount, 0),
      (t.authorized_amount::bigint * coalesce(m.over_capture_percentage, 0) / 100)::int) END AS allowance
FROM transaction t
JOIN merchant_account m ON m.id = t.merchant_account_id
JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
WHERE t.merchant_account_id = @account::text AND t.id = @transaction::uuid
