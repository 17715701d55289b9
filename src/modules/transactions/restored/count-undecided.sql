-- Counts the requested operations without an outcome, of all merchant accounts, up to @limit. None begins
-- during a hold. Locks nothing.
-- - `unknown` counts the sent ones that their providers have not accepted since the start of the hold. An
--   earlier acceptance proves little, because the provider may have decided since.
-- - `undecided` counts the others. Their providers accepted them and decide later.
-- - `unsent` counts the authorisations that were not sent.
SELECT count(*) FILTER (WHERE NOT unsent AND NOT is_asked)::int AS unknown,
  count(*) FILTER (WHERE NOT unsent AND is_asked)::int AS undecided,
  min(accepted_at) FILTER (WHERE NOT unsent AND is_asked) AS "undecidedSince",
  count(*) FILTER (WHERE unsent AND kind = 'authorize')::int AS unsent
FROM (
  SELECT unsent, kind, accepted_at,
    accepted_at IS NOT NULL AND greatest(accepted_at, accepted_again_at) > @startedAt::timestamptz AS is_asked
  FROM operation
  WHERE status = 'pending' AND origin = 'requested' LIMIT @limit::bigint) waiting
