-- Reads the next open payments of a payment service that changed after a place, with their operations there.
-- The order is by change, oldest first, and the bounds are @since, @until and @limit.
SELECT row_to_json(t) AS transaction,
  (
    SELECT coalesce(json_agg(o ORDER BY o.id), '[]'::json) FROM operation o
    WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
      AND o.payment_service_id = @service::uuid) AS operations
FROM payments_to_compare(@account::text, @service) t
WHERE (t.updated_at, t.id) > (@at::timestamptz, @id::uuid) AND t.updated_at <= @until::timestamptz
  AND t.created_at >= @since::timestamptz
ORDER BY t.updated_at, t.id LIMIT @limit::bigint
