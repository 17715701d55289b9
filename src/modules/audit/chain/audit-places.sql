-- Reads the place and the hash of each entry in its account's chain. An entry that no block holds has no row.
-- Blocks overlap where an entry was committed late. The first block that reaches the entry mostly has it.
SELECT wanted.id, b.sequence + b.place - 1 AS sequence, b.hashes[b.place] AS hash
FROM unnest(@ids::uuid[]) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT sequence, hashes, array_position(ids, wanted.id) AS place FROM audit_block
  WHERE merchant_account_id = @account::text AND last_id >= wanted.id AND first_id <= wanted.id
    AND wanted.id = ANY (ids)
  ORDER BY last_id LIMIT 1) b
