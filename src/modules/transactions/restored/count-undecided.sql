-- Counts the requested operations without an outcome, of all merchant accounts, up to @limit. None begins
-- during a hold. Locks nothing.
-- - `unknown` counts the sent ones that are not accepted, or were not asked about since the start of the
--   hold. The start made each of them due, so a later next attempt shows the question.
-- - `undecided` counts the others. Their providers accepted them and decide later.
-- - `unsent` counts the authorisations that were not sent.
SELECT count(*) FILTER (WHERE NOT unsent AND NOT is_asked)::int AS unknown,
  count(*) FILTER (WHERE NOT unsent AND is_asked)::int AS undecided,
  min(accepted_at) FILTER (WHERE NOT unsent AND is_asked) AS "undecidedSince",
  count(*) FILTER (WHERE unsent AND kind = 'authorize')::int AS unsent
FROM (
  SELECT unsent, kind, accepted_at,
    accepted_at IS NOT NULL AND lease_until IS NULL
      AND coalesce(next_attempt_at, 'infinity') > @startedAt::timestamptz AS is_asked
  FROM operation
  WHERE status = 'pending' AND origin = 'requested' LIMIT @limit::bigint) waiting
