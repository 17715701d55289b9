-- $1 account, $2 after, $3 until, $4 patterns, $5 limit
SELECT f.merchant_account_id, f.sequence, e.id, e.name, e.target_type, e.target_id, e.created_at, e.payload FROM feed_entry f CROSS JOIN LATERAL (
SELECT * FROM event WHERE position = ANY (ARRAY[f.position]) ORDER BY position LIMIT 1) e
     WHERE f.merchant_account_id = $1 AND f.sequence > $2 AND f.sequence <= $3 AND (coalesce(cardinality($4::text[]), 0) = 0 OR EXISTS (
   SELECT FROM unnest($4::text[]) AS pattern WHERE e.name LIKE replace(pattern, '*', '%')))
     ORDER BY f.sequence ASC LIMIT $5
