-- $1 account, $2 cursor, $3 limit
SELECT row_to_json(o) AS operation FROM operation o
WHERE o.merchant_account_id = $1 AND o.status = 'pending' AND o.unknown_at IS NOT NULL
  AND o.id > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000'::uuid)
ORDER BY o.id ASC LIMIT $3
