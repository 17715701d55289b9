-- $1 limit, $2 account, $3 before
WITH oldest AS MATERIALIZED (
  SELECT f.* FROM feed_head h CROSS JOIN LATERAL (
    SELECT sequence, position, created_at FROM feed_entry
    WHERE merchant_account_id = h.merchant_account_id AND sequence > h.floor
    ORDER BY sequence LIMIT $1) f
  WHERE h.merchant_account_id = $2),
first_retained AS (
  SELECT min(sequence) AS sequence FROM oldest s
  WHERE s.created_at >= $3 OR EXISTS (
    SELECT FROM delivery d WHERE d.position = s.position AND d.state IN ('pending', 'leased')))
SELECT array_agg(s.position) AS positions, max(s.sequence) AS last
FROM oldest s CROSS JOIN first_retained r WHERE r.sequence IS NULL OR s.sequence < r.sequence
