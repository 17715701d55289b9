-- Reads at most 1000 events, by position, that are neither in the feed nor waiting for the relay. No such
-- event should exist: the relay moves its cursor and writes the feed entry together.
-- The retention removes the feed entry before the event, but no event that is younger than @since. An event
-- in a gap of the cursor still waits for the relay.
SELECT e.position FROM event e
WHERE e.position > @after::bigint AND e.position <= @until::bigint AND e.created_at > @since::timestamptz
  AND NOT EXISTS (SELECT FROM feed_entry f WHERE f.position = e.position)
  AND EXISTS (
    SELECT FROM log_cursor c
    WHERE c.name = 'feed' AND e.position <= c.position AND NOT (c.missing + c.young) @> e.position)
ORDER BY 1 LIMIT 1000
