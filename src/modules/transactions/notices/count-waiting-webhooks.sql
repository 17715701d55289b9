-- Counts the webhooks of providers that wait for their operation, of all merchant accounts, up to @limit.
-- Reads the moment of receipt of the oldest. Locks nothing.
SELECT 'parked' AS state, count(*)::int AS count, min(received_at) AS oldest
FROM (SELECT received_at FROM inbound_webhook WHERE state = 'parked' LIMIT @limit::int) parked
