-- $1 positions, $2 since
INSERT INTO event_pending (position)
 SELECT e.position FROM event e WHERE e.position = ANY ($1::bigint[]) AND e.created_at > $2 AND NOT EXISTS (SELECT FROM feed_entry f WHERE f.position = e.position)
AND NOT EXISTS (SELECT FROM event_pending p WHERE p.position = e.position) RETURNING position
