-- Reads the position and the sequence of one event. Answers no row when the account has no such event in the
-- feed.
-- The ORDER BY makes every plan use the index by position, with or without statistics.
SELECT e.position, f.sequence FROM event e
CROSS JOIN LATERAL (
  SELECT sequence FROM feed_entry
  WHERE merchant_account_id = @account AND position = ANY (ARRAY[e.position])
  ORDER BY position LIMIT 1) f
WHERE e.merchant_account_id = @account::text AND e.id = @event::uuid
