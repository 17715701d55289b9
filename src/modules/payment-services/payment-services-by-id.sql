-- Reads payment services by their ids, in no order. The bound is the list of ids.
-- - The inner SELECT hides the list from the planner, so one plan serves all lists. Postgres would otherwise
--   plan each run anew, which takes twice as long as the look-up. The outer cast keeps Postgres from taking
--   the hidden list for a list of rows.
SELECT row_to_json(s) AS service FROM payment_service s
WHERE s.merchant_account_id = @account::text AND s.id = ANY ((SELECT @ids::uuid[])::uuid[])
