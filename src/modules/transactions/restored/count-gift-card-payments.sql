-- Counts the open payments with gift cards since @since, up to @limit in each merchant account. Locks
-- nothing.
SELECT coalesce(sum(g.payments), 0)::int AS payments FROM merchant_account m
CROSS JOIN LATERAL (
  SELECT count(*) AS payments FROM (
    SELECT FROM transaction t
    WHERE t.merchant_account_id = m.id AND t.gift_card_amount > 0 AND t.created_at >= @since::timestamptz
      AND t.status
        IN ('authorization_succeeded', 'authorization_void_pending', 'capture_pending', 'capture_succeeded')
    LIMIT @limit::bigint) paid) g
