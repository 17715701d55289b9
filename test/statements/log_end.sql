WITH log AS (SELECT coalesce(max(position), 0) AS "end" FROM event)
SELECT "end" AS "createdPosition", ARRAY(
  SELECT place FROM generate_series(greatest("end" - 10000, 0) + 1, "end") AS place
  WHERE NOT EXISTS (SELECT FROM event WHERE position = place)) AS "createdGaps"
FROM log
