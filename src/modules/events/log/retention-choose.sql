-- Reads the oldest retained events of an account's feed, up to the limit. Answers the positions and the last
-- sequence before the first event that stays. An event stays when the event is young enough or has an
-- unsettled delivery.
-- Both values are null when nothing may go. The positions then serve the removals of the same transaction.
WITH oldest AS MATERIALIZED (
  SELECT f.* FROM feed_head h
  CROSS JOIN LATERAL (
    SELECT merchant_account_id, sequence, position, created_at FROM feed_entry
    WHERE merchant_account_id = h.merchant_account_id AND sequence > h.floor
    ORDER BY sequence LIMIT @limit::bigint) f
  WHERE h.merchant_account_id = @account::text),
first_retained AS (
  SELECT min(sequence) AS sequence FROM oldest s
  WHERE s.created_at >= @before::timestamptz
    OR EXISTS (
      SELECT FROM delivery d
      WHERE d.merchant_account_id = ANY (ARRAY[s.merchant_account_id]) AND d.position = s.position
        AND d.state IN ('pending', 'leased')))
SELECT array_agg(s.position) AS positions, max(s.sequence) AS last FROM oldest s
CROSS JOIN first_retained r
WHERE r.sequence IS NULL OR s.sequence < r.sequence
