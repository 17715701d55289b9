-- Reads all redemptions of the given payments, by payment and then by ordinal.
--
-- - The SELECT around the list hides the list from the planner. With a list of one id, Postgres would plan
--   each run anew, which takes twice as long as the look-up. The type behind the SELECT makes a list of
--   the result.
SELECT row_to_json(r) AS redemption FROM redemption r
WHERE r.merchant_account_id = @account::text
  AND r.transaction_id = ANY ((SELECT @transactions::uuid[])::uuid[])
ORDER BY r.transaction_id, r.ordinal
