-- $1 over, $2 limit
WITH old AS (
  SELECT merchant_account_id, bin, last_four FROM presented_card WHERE since <= $1::timestamptz
  ORDER BY since LIMIT $2::int FOR UPDATE SKIP LOCKED)
DELETE FROM presented_card p USING old o
WHERE p.merchant_account_id = o.merchant_account_id AND p.bin = o.bin AND p.last_four = o.last_four
RETURNING 1 AS removed
