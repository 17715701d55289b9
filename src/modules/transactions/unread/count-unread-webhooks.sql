-- Counts the unread webhooks of providers, of all merchant accounts, up to @limit, by the reason. Reads the
-- moment of receipt of the oldest. Locks nothing.
SELECT reason AS state, count(*)::int AS count, min(received_at) AS oldest
FROM (SELECT reason, received_at FROM unread_webhook LIMIT @limit::int) unread
GROUP BY reason
