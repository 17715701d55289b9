-- $1 after, $2 until, $3 since
SELECT e.position FROM event e WHERE e.position > $1 AND e.position <= $2 AND e.created_at > $3 AND NOT EXISTS (SELECT FROM feed_entry f WHERE f.position = e.position)
AND NOT EXISTS (SELECT FROM event_pending p WHERE p.position = e.position) ORDER BY 1 LIMIT 1000
