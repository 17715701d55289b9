-- $1 account, $2 type, $3 id, $4 after, $5 until, $6 patterns, $7 limit
SELECT f.merchant_account_id, f.sequence, e.id, e.name, e.target_type, e.target_id, e.created_at FROM (
    SELECT * FROM event WHERE merchant_account_id = $1 AND target_type = $2 AND target_id = $3
    ORDER BY position OFFSET 0) e
  CROSS JOIN LATERAL (SELECT merchant_account_id, sequence FROM feed_entry WHERE position = e.position OFFSET 0) f
  WHERE f.sequence > $4 AND f.sequence <= $5 AND (coalesce(cardinality($6::text[]), 0) = 0 OR EXISTS (
SELECT FROM unnest($6::text[]) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
  ORDER BY f.sequence ASC LIMIT $7
