-- Counts the requested operations without an outcome, of all merchant accounts, up to @limit. Counts the sent
-- ones, and the authorisations that were not sent. None begins during a hold. Locks nothing.
SELECT count(*) FILTER (WHERE NOT unsent)::int AS undecided,
  count(*) FILTER (WHERE unsent AND kind = 'authorize')::int AS unsent
FROM (
  SELECT unsent, kind FROM operation
  WHERE status = 'pending' AND origin = 'requested' LIMIT @limit::bigint) waiting
