-- $1 after, $2 until, $3 since
SELECT e.position FROM event e WHERE e.position > $1 AND e.position <= $2 AND e.created_at > $3 AND NOT EXISTS (SELECT FROM feed_entry f WHERE f.position = e.position)
AND EXISTS (SELECT FROM log_cursor c WHERE c.name = 'feed' AND e.position <= c.position
  AND NOT (c.missing + c.young) @> e.position) ORDER BY 1 LIMIT 1000
