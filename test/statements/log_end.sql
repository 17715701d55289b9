WITH log AS (SELECT coalesce(max(position), 0) AS "end" FROM event)
SELECT "end" AS "createdPosition", ARRAY(
  SELECT place FROM generate_series(greatest("end" - 10000, 0) + 1, "end") AS place
  EXCEPT SELECT position FROM event WHERE position > "end" - 10000 ORDER BY 1) AS "createdGaps"
FROM log
