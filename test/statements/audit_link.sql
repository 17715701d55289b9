-- $1 accounts, $2 sequences, $3 hashes, $4 seals, $5 sealsBefore, $6 linkAccounts, $7 linkIds, $8 linkSequences, $9 linkHashes
WITH head AS (
  INSERT INTO audit_chain AS c (merchant_account_id, sequence, hash, floor_sequence, floor_hash, seal)
  SELECT account, sequence, hash, 0, '', seal
  FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) AS h (account, sequence, hash, seal)
  ON CONFLICT (merchant_account_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, seal = excluded.seal
    WHERE c.seal = (SELECT seal FROM unnest($1::text[], $5::text[]) AS b (account, seal)
      WHERE b.account = c.merchant_account_id)
  RETURNING c.merchant_account_id)
UPDATE audit_entry e SET sequence = l.sequence, hash = l.hash
FROM unnest($6::text[], $7::uuid[], $8::bigint[], $9::text[])
  AS l (account, id, sequence, hash)
JOIN head ON head.merchant_account_id = l.account
WHERE e.merchant_account_id = l.account AND e.id = l.id AND e.sequence IS NULL
RETURNING 1
