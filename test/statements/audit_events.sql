-- $1 after, $2 until
SELECT e.position FROM event e WHERE e.position > $1 AND e.position <= $2 AND NOT EXISTS (SELECT FROM feed_entry f WHERE f.position = e.position)
AND NOT EXISTS (SELECT FROM event_pending p WHERE p.position = e.position) ORDER BY 1 LIMIT 1000
