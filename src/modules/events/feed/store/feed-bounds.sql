-- Reads the head and the floor of an account's feed. Reads also the ids of the events at the head and at @at.
-- Answers no row for an account without events. The id of a removed event is null.
-- The ORDER BY in the event's look-up makes every plan use the index by position. The index of records has
-- the position last, and Postgres would read it from end to end.
SELECT h.sequence, h.floor,
  (
    SELECT e.id FROM feed_entry f
    CROSS JOIN LATERAL (
      SELECT * FROM event
      WHERE merchant_account_id = @account AND position = ANY (ARRAY[f.position])
      ORDER BY position LIMIT 1) e
    WHERE f.merchant_account_id = h.merchant_account_id AND f.sequence = h.sequence) AS "headId",
  (
    SELECT e.id FROM feed_entry f
    CROSS JOIN LATERAL (
      SELECT * FROM event
      WHERE merchant_account_id = @account AND position = ANY (ARRAY[f.position])
      ORDER BY position LIMIT 1) e
    WHERE f.merchant_account_id = h.merchant_account_id AND f.sequence = @at::bigint) AS "idAt"
FROM feed_head h
WHERE h.merchant_account_id = @account::text
