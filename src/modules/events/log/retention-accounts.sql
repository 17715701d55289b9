-- Reads the merchant accounts whose oldest retained event reached the feed before a moment, in no order. The
-- LATERAL looks up one feed entry of each account.
SELECT h.merchant_account_id AS id FROM feed_head h
CROSS JOIN LATERAL (
  SELECT created_at FROM feed_entry
  WHERE merchant_account_id = h.merchant_account_id AND sequence > h.floor
  ORDER BY sequence LIMIT 1 OFFSET 0) oldest
WHERE oldest.created_at < @before::timestamptz
  AND h.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
