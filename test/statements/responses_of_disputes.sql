-- $1 disputes, $2 account, $3 limit
SELECT row_to_json(r) AS response FROM unnest((SELECT $1::uuid[])) AS wanted (dispute_id)
CROSS JOIN LATERAL (
  SELECT * FROM dispute_response r WHERE r.merchant_account_id = $2 AND r.dispute_id = wanted.dispute_id
  ORDER BY r.id DESC LIMIT $3) r
ORDER BY r.id DESC
