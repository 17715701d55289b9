-- Reads the oldest entries without a place in a chain, by position, up to the limit. Each row has the chain
-- of its merchant account and the state of the cursor at the same moment. The rows come by the id of the
-- entry.
-- Transactions commit in another order than that of their positions. The reader therefore remembers each
-- position that was not there, in `missing` and `young`, and looks again. The expression `waiting` has at
-- most @limit rows of each gap, and as many further rows.
WITH reader AS (
  SELECT *, xmin::text AS version, pg_snapshot_xmin(pg_current_snapshot())::text AS "oldestRunning"
  FROM log_cursor WHERE name = 'audit'),
waiting AS (
  SELECT e.* FROM reader r
  CROSS JOIN LATERAL unnest(r.missing + r.young) AS gap
  CROSS JOIN LATERAL (
    SELECT * FROM audit_entry
    WHERE position >= lower(gap) AND position < upper(gap)
    ORDER BY position LIMIT @limit::bigint) e
  UNION ALL (
    SELECT e.* FROM audit_entry e
    WHERE e.position > (SELECT position FROM reader)
    ORDER BY e.position LIMIT @limit))
SELECT row_to_json(e) AS entry, r.version, r."oldestRunning",
  (
    SELECT json_build_object('sequence', c.sequence::text, 'hash', c.hash,
      'floorSequence', c.floor_sequence::text, 'floorHash', c.floor_hash, 'seal', c.seal)
    FROM audit_chain c
    WHERE c.merchant_account_id = e.merchant_account_id) AS chain
FROM (SELECT * FROM waiting ORDER BY position LIMIT @limit) e
CROSS JOIN reader r
ORDER BY e.id
