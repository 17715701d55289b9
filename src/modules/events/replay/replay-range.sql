-- Reads the first and the last sequence of the events that reached the feed in a period. Reads also the time
-- of the oldest retained event. A null bound means the first retained event or the last event. Answers no row
-- for an account without events.
-- The recursive expressions search by halves, because times have no index. The relay writes times in the
-- order of sequences. The time of the oldest event is null when no event was ever removed, or all were.
WITH RECURSIVE head AS (
  SELECT floor, sequence FROM feed_head WHERE merchant_account_id = @account::text),
reaching AS (
  SELECT floor + 1 AS low, sequence + 1 AS high FROM head
  UNION ALL
  SELECT CASE WHEN f.created_at >= @from::timestamptz THEN low ELSE middle + 1 END,
    CASE WHEN f.created_at >= @from::timestamptz THEN middle ELSE high END
  FROM reaching
  CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) m
  LEFT JOIN feed_entry f ON f.merchant_account_id = @account AND f.sequence = middle WHERE low < high),
passing AS (
  SELECT floor + 1 AS low, sequence + 1 AS high FROM head
  UNION ALL
  SELECT CASE WHEN f.created_at > @until::timestamptz THEN low ELSE middle + 1 END,
    CASE WHEN f.created_at > @until::timestamptz THEN middle ELSE high END
  FROM passing
  CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) m
  LEFT JOIN feed_entry f ON f.merchant_account_id = @account AND f.sequence = middle WHERE low < high)
SELECT CASE WHEN @from::timestamptz IS NULL THEN floor + 1 ELSE (SELECT max(low) FROM reaching) END AS first,
  CASE WHEN @until::timestamptz IS NULL THEN sequence ELSE (SELECT max(low) FROM passing) - 1 END AS last,
  (
    SELECT created_at FROM feed_entry
    WHERE merchant_account_id = @account AND sequence = floor + 1 AND floor > 0) AS retained_since
FROM head
