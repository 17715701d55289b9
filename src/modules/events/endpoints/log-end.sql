-- Reads the greatest position of the log. Reads also those of the last 10,000 positions that no committed
-- event has. A new endpoint gets every event outside this snapshot.
-- The last value of the sequence would be wrong, because the sequence also counts uncommitted events. A
-- transaction ends long before 10,000 other events follow its own.
WITH log AS (SELECT coalesce(max(position), 0) AS "end" FROM event)
SELECT "end" AS "createdPosition",
  ARRAY(
    SELECT place
    FROM generate_series(greatest("end" - 10000, 0) + 1, "end") AS place
    EXCEPT
    SELECT position FROM event WHERE position > "end" - 10000
    ORDER BY 1) AS "createdGaps"
FROM log
