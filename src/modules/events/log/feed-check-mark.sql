-- Adds the positions of events that are still missed to the young gaps of the cursor `feed`. The relay then
-- reads them again. Answers the number of these events, and changes nothing when no event is missed.
-- The retention removes the feed entry before the event, but no event that is younger than @since. The sender
-- holds the lock of the relay, so the cursor stays where it is.
WITH missed AS (
  SELECT range_agg(int8range(e.position, e.position, '[]')) AS positions, count(*)::int AS marked FROM event e
  WHERE e.position = ANY (@positions::bigint[]) AND e.created_at > @since::timestamptz
    AND NOT EXISTS (SELECT FROM feed_entry f WHERE f.position = e.position)
    AND EXISTS (
      SELECT FROM log_cursor c
      WHERE c.name = 'feed' AND e.position <= c.position AND NOT (c.missing + c.young) @> e.position)),
marked AS (
  UPDATE log_cursor SET young = young + missed.positions FROM missed
  WHERE name = 'feed' AND missed.marked > 0)
SELECT marked FROM missed
