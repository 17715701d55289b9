-- Counts the open circuits of all merchant accounts by definition, up to @limit. Reads the moment of the
-- oldest opening. Leaves out services that take no payment. Locks nothing.
SELECT definition_id AS state, count(*)::int AS count, min(opened_at) AS oldest
FROM (
  SELECT s.definition_id, c.opened_at FROM payment_service_circuit c
  JOIN payment_service s ON s.merchant_account_id = c.merchant_account_id AND s.id = c.payment_service_id
  WHERE s.active AND s.deleted_at IS NULL LIMIT @limit::int) open
GROUP BY definition_id
