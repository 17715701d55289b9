-- Locks and deletes the rows whose windows began until a moment, oldest first, up to the limit. Skips rows
-- that another process has locked. Answers a row for each deleted one.
WITH old AS (
  SELECT merchant_account_id, bin, last_four FROM presented_card
  WHERE since <= @over::timestamptz
    AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY since LIMIT @limit::int FOR UPDATE SKIP LOCKED)
DELETE FROM presented_card p
USING old o
WHERE p.merchant_account_id = o.merchant_account_id AND p.bin = o.bin AND p.last_four = o.last_four
RETURNING 1 AS removed
