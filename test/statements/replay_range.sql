-- $1 account, $2 from, $3 until
WITH RECURSIVE head AS (
  SELECT floor, sequence FROM feed_head WHERE merchant_account_id = $1),
reaching AS (
  SELECT floor + 1 AS low, sequence + 1 AS high FROM head
  UNION ALL
  SELECT CASE WHEN f.created_at >= $2::timestamptz THEN low ELSE middle + 1 END,
         CASE WHEN f.created_at >= $2::timestamptz THEN middle ELSE high END
  FROM reaching CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) m
  LEFT JOIN feed_entry f ON f.merchant_account_id = $1 AND f.sequence = middle
  WHERE low < high),
passing AS (
  SELECT floor + 1 AS low, sequence + 1 AS high FROM head
  UNION ALL
  SELECT CASE WHEN f.created_at > $3::timestamptz THEN low ELSE middle + 1 END,
         CASE WHEN f.created_at > $3::timestamptz THEN middle ELSE high END
  FROM passing CROSS JOIN LATERAL (SELECT (low + high) / 2 AS middle) m
  LEFT JOIN feed_entry f ON f.merchant_account_id = $1 AND f.sequence = middle
  WHERE low < high)
SELECT CASE WHEN $2::timestamptz IS NULL THEN floor + 1 ELSE (SELECT max(low) FROM reaching) END AS first,
       CASE WHEN $3::timestamptz IS NULL THEN sequence ELSE (SELECT max(low) FROM passing) - 1 END AS last,
       (SELECT created_at FROM feed_entry
        WHERE merchant_account_id = $1 AND sequence = floor + 1 AND floor > 0) AS retained_since
FROM head
