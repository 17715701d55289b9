-- $1 positions, $2 since
WITH missed AS (
   SELECT range_agg(int8range(e.position, e.position, '[]')) AS positions, count(*)::int AS marked
   FROM event e WHERE e.position = ANY ($1::bigint[]) AND e.created_at > $2 AND NOT EXISTS (SELECT FROM feed_entry f WHERE f.position = e.position)
AND EXISTS (SELECT FROM log_cursor c WHERE c.name = 'feed' AND e.position <= c.position
  AND NOT (c.missing + c.young) @> e.position)),
 marked AS (
   UPDATE log_cursor SET young = young + missed.positions FROM missed WHERE name = 'feed' AND missed.marked > 0)
 SELECT marked FROM missed
