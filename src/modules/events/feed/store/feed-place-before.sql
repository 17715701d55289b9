-- Reads the last event, up to the sequence @below, that reached the feed at a moment or before. Answers no
-- row without such an event.
-- The ORDER BY in the event's look-up makes every plan use the index by position. The index of records has
-- the position last, and Postgres would read it from end to end.
SELECT f.sequence, e.id
FROM (
  SELECT * FROM feed_entry
  WHERE merchant_account_id = @account::text AND sequence <= @below::bigint
    AND created_at <= @moment::timestamptz
  ORDER BY sequence DESC LIMIT 1) f
CROSS JOIN LATERAL (
  SELECT * FROM event
  WHERE merchant_account_id = @account AND position = ANY (ARRAY[f.position])
  ORDER BY position LIMIT 1) e
