-- Counts the reports of comparisons that are not booked yet, of all merchant accounts, up to @limit. Locks
-- nothing.
SELECT count(*)::int AS reports FROM (
  SELECT FROM inbound_webhook
  WHERE state = 'parked' AND event_key LIKE 'books:%' LIMIT @limit::bigint) waiting
