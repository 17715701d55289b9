-- Counts the anti-fraud services of all merchant accounts with events before their places, up to @limit.
-- Reads when the oldest of these events reached the feed. Leaves out services of other definitions than
-- @definitions, and those of accounts that have moved away. Locks nothing. Answers
-- no row without any.
SELECT 'pending' AS state, count(*)::int AS count, min(f.created_at) AS oldest
FROM (
  SELECT r.merchant_account_id, greatest(r.sequence, h.floor) AS sequence
  FROM anti_fraud_report r
  JOIN anti_fraud_service s ON s.merchant_account_id = r.merchant_account_id
    AND s.id = r.anti_fraud_service_id
  JOIN feed_head h ON h.merchant_account_id = r.merchant_account_id
  WHERE s.deleted_at IS NULL AND h.sequence > greatest(r.sequence, h.floor)
    AND s.definition_id = ANY (@definitions::text[])
    AND r.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  LIMIT @limit::int) w
JOIN feed_entry f ON f.merchant_account_id = w.merchant_account_id AND f.sequence = w.sequence + 1
GROUP BY 1
