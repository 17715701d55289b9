-- $1 limit
SELECT row_to_json(e) AS entry, (
  SELECT json_build_object('sequence', c.sequence::text, 'hash', c.hash, 'floorSequence', c.floor_sequence::text,
    'floorHash', c.floor_hash, 'seal', c.seal) FROM audit_chain c WHERE c.merchant_account_id = e.merchant_account_id) AS chain
FROM (SELECT * FROM audit_entry WHERE sequence IS NULL ORDER BY id LIMIT $1) e ORDER BY e.id
