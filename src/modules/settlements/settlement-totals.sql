-- Reads the sums of all entries of some payments, one row for each payment and currency, by currency. The
-- bound is the list of payments.
-- - The inner SELECT hides the list from the planner, so one plan serves all lists. Postgres would otherwise
--   plan each run anew, which takes twice as long as the look-up. The outer cast keeps Postgres from taking
--   the hidden list for a list of rows.
SELECT s.transaction_id AS "transactionId", s.currency, sum(s.gross)::bigint::text AS gross,
  sum(s.fee)::bigint::text AS fee, sum(s.net)::bigint::text AS net
FROM settlement s
WHERE s.merchant_account_id = @account::text
  AND s.transaction_id = ANY ((SELECT @transactions::uuid[])::uuid[])
GROUP BY s.transaction_id, s.currency
ORDER BY s.currency
