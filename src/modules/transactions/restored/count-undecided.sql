-- Counts the requested operations that were sent and have no outcome, of all merchant accounts, up to @limit.
-- None begins during a hold. Locks nothing.
SELECT count(*)::int AS undecided FROM (
  SELECT FROM operation
  WHERE status = 'pending' AND NOT unsent AND origin = 'requested' LIMIT @limit::bigint) waiting
