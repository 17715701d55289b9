-- Reads the latest responses of some disputes, newest first, at most @limit for each dispute.
-- - The inner SELECT hides the list from the planner, so one plan serves all lists. Postgres would otherwise
--   plan each run anew, which takes twice as long as the look-up.
SELECT row_to_json(r) AS response
FROM unnest((SELECT @disputes::uuid[])) AS wanted (dispute_id)
CROSS JOIN LATERAL (
  SELECT * FROM dispute_response r
  WHERE r.merchant_account_id = @account::text AND r.dispute_id = wanted.dispute_id
  ORDER BY r.id DESC LIMIT @limit::bigint) r
ORDER BY r.id DESC
