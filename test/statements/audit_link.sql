-- $1 version, $2 accounts, $3 sealsBefore, $4 positions, $5 limit, $6 oldestRunning, $7 sequences, $8 hashes, $9 seals, $10 blocks
WITH 
reader AS (
  SELECT * FROM log_cursor WHERE name = 'audit' AND xmin = $1::xid AND (
  SELECT count(*) FROM (
    SELECT FROM audit_chain c JOIN unnest($2::text[], $3::text[]) AS b (account, seal)
      ON c.merchant_account_id = b.account AND c.seal = b.seal
    ORDER BY c.merchant_account_id FOR UPDATE OF c) held) = (SELECT count(*) FROM unnest($3::text[]) AS seal WHERE seal <> '') FOR UPDATE),
taken AS (SELECT position FROM unnest($4::bigint[]) AS given (position)),
reached AS (
  SELECT r.missing - t.seen AS missing, r.young + int8multirange(int8range(r.position, t.position, '(]')) - t.seen AS young,
    t.position, r.missing = '{}' OR (t.rows < $5
      AND (r.horizon < $6::xid8 OR r.horizon >= pg_snapshot_xmax(pg_current_snapshot()))) AS decided
  FROM reader r CROSS JOIN LATERAL (
    SELECT count(*) AS rows, greatest(max(position), r.position) AS position,
      coalesce(range_agg(int8range(position, position, '[]')), '{}') AS seen
    FROM taken) t
  WHERE t.rows > 0),
moved_on AS (
  UPDATE log_cursor c SET position = r.position,
    missing = CASE WHEN r.decided THEN r.young ELSE r.missing END,
    young = CASE WHEN r.decided THEN '{}' ELSE r.young END,
    horizon = CASE WHEN r.decided THEN pg_current_xact_id() ELSE c.horizon END
  FROM reached r WHERE c.name = 'audit' RETURNING c.position),
head AS (
  INSERT INTO audit_chain AS c (merchant_account_id, sequence, hash, floor_sequence, floor_hash, seal)
  SELECT account, sequence, hash, 0, '', seal
  FROM unnest($2::text[], $7::bigint[], $8::text[], $9::text[]) AS h (account, sequence, hash, seal)
  WHERE EXISTS (SELECT FROM moved_on)
  ON CONFLICT (merchant_account_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash, seal = excluded.seal)
INSERT INTO audit_block (merchant_account_id, sequence, ids, hashes, first_id, last_id)
SELECT b.account, b.sequence, b.ids, b.hashes, b.first_id, b.last_id
FROM jsonb_to_recordset($10::jsonb)
  AS b (account text, sequence bigint, ids uuid[], hashes text[], first_id uuid, last_id uuid)
WHERE EXISTS (SELECT FROM moved_on)
