-- Counts the events that an outlet has not published, and reads when the oldest of them reached the feed. The
-- time is null when none waits. Events that the retention has removed do not count.
SELECT coalesce(sum(w.sequence - w.position), 0)::text AS events, min(f.created_at) AS oldest
FROM (
  SELECT h.merchant_account_id, h.sequence, greatest(h.floor, coalesce(p.sequence, 0)) AS position
  FROM feed_head h
  LEFT JOIN outlet_position p ON p.outlet = @outlet::text AND p.merchant_account_id = h.merchant_account_id) w
LEFT JOIN LATERAL (
  SELECT created_at FROM feed_entry
  WHERE merchant_account_id = w.merchant_account_id AND sequence = w.position + 1 OFFSET 0) f ON true
WHERE w.sequence > w.position
