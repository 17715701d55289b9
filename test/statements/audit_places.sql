-- $1 ids, $2 account
SELECT wanted.id, b.sequence + b.place - 1 AS sequence, b.hashes[b.place] AS hash
FROM unnest($1::uuid[]) AS wanted (id) CROSS JOIN LATERAL (
  SELECT sequence, hashes, array_position(ids, wanted.id) AS place FROM audit_block
  WHERE merchant_account_id = $2 AND last_id >= wanted.id AND first_id <= wanted.id AND wanted.id = ANY (ids)
  ORDER BY last_id LIMIT 1) b
