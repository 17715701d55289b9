-- Writes the counts and the place of a simulation, and ends the lease. Changes nothing, and answers 0, when
-- another process has the lease or the simulation has ended.
-- A cancelled simulation has no lease, so a late page changes nothing. The end forgets the counts.
WITH changed AS (
  UPDATE routing_simulation SET status = coalesce(@status::text, status), failures = @failures::int,
    next_at = @nextAt::timestamptz, ended_at = @endedAt::timestamptz, result = @result::text, lease = NULL,
    tally = CASE WHEN @status::text IS NULL THEN coalesce(@tally::text, tally) END,
    scanned = scanned + @scanned::int, place_at = coalesce(@placeAt::timestamptz, place_at),
    place_id = coalesce(@placeId::uuid, place_id)
  WHERE merchant_account_id = @merchantAccountId::text AND id = @id::uuid AND lease = @lease::uuid
    AND status = 'running'
  RETURNING id)
SELECT count(*)::int AS count FROM changed
