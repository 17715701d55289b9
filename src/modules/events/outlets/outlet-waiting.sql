-- Reads the merchant accounts with events that an outlet has not published, up to the limit. Reads also the
-- last published sequences, and the last sequences that the retention removed. The accounts behind @after
-- come first, so that each gets its turn.
SELECT h.merchant_account_id AS account, coalesce(p.sequence, 0) AS position, h.floor
FROM feed_head h
LEFT JOIN outlet_position p ON p.outlet = @outlet::text AND p.merchant_account_id = h.merchant_account_id
WHERE h.sequence > coalesce(p.sequence, 0)
  AND h.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
ORDER BY h.merchant_account_id <= @after::text, h.merchant_account_id LIMIT @limit::bigint
