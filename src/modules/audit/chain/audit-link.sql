-- Locks the chains in the order of their accounts, and the row of the cursor `audit`. Moves the cursor behind
-- entries that an earlier statement read. Writes the blocks of the entries and the new ends of the chains in
-- the same commit.
-- Writes nothing when the cursor has moved since the read, which `xmin` tells, or when a chain has another
-- seal. The retention changes the seal of a chain. The row lock finds the latest seal. An account without
-- chained entries has an empty seal and no row to lock.
--
-- Transactions commit in another order than that of their positions. The reader therefore remembers each
-- position that was not there, in `missing` and `young`, and looks again.
--
-- - A gap is forgotten once no transaction can fill it. A transaction gets its number before its position, by
--   the default of the column. Every transaction that may fill a gap therefore has a smaller number than the
--   finder of the gap, the horizon. The next read after the end of all smaller numbers finds the rows, or
--   nobody writes them.
-- - A dump can be restored in a cluster that has not reached the horizon. No transaction of the former
--   cluster can fill a gap there.
-- - The smallest number of a running transaction is that of the moment of the read, @oldestRunning.
WITH reader AS (
  SELECT * FROM log_cursor
  WHERE name = 'audit' AND xmin = @version::xid
    AND (
      SELECT count(*)
      FROM (
        SELECT FROM audit_chain c
        JOIN unnest(@accounts::text[], @sealsBefore::text[]) AS b (account, seal) ON c.merchant_account_id
          = b.account AND c.seal = b.seal
        ORDER BY c.merchant_account_id FOR UPDATE OF c) held)
      = (SELECT count(*) FROM unnest(@sealsBefore::text[]) AS seal WHERE seal <> '')
  FOR UPDATE),
taken AS (SELECT position FROM unnest(@positions::bigint[]) AS given (position)),
reached AS (
  SELECT r.missing - t.seen AS missing,
    r.young + int8multirange(int8range(r.position, t.position, '(]')) - t.seen AS young, t.position,
    r.missing = '{}'
    OR (t.rows < @limit::bigint
      AND (r.horizon < @oldestRunning::xid8 OR r.horizon >= pg_snapshot_xmax(pg_current_snapshot())))
      AS decided
  FROM reader r
  CROSS JOIN LATERAL (
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
  FROM unnest(@accounts::text[], @sequences::bigint[], @hashes::text[], @seals::text[])
    AS h (account, sequence, hash, seal)
  WHERE EXISTS (SELECT FROM moved_on)
  ON CONFLICT (merchant_account_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash,
    seal = excluded.seal)
INSERT INTO audit_block (merchant_account_id, sequence, ids, hashes, first_id, last_id)
SELECT b.account, b.sequence, b.ids, b.hashes, b.first_id, b.last_id
FROM jsonb_to_recordset(@blocks::jsonb)
  AS b (account text, sequence bigint, ids uuid[], hashes text[], first_id uuid, last_id uuid)
WHERE EXISTS (SELECT FROM moved_on)
