SELECT e.created_at FROM (SELECT position FROM event_pending ORDER BY position LIMIT 1) p
         CROSS JOIN LATERAL (
SELECT * FROM event WHERE position = ANY (ARRAY[p.position]) ORDER BY position LIMIT 1) e
