-- Reads the next open payments of a payment service that changed after a place, with their operations there.
-- The order is by change, oldest first, and the bounds are @since, @until and @limit.
-- - A payment without a reference of the provider is left out. So is a closed payment whose captured money
--   is all refunded, because nothing is left to move.
-- - A void that was made elsewhere may have released the rest of a capture that nobody told.
SELECT row_to_json(t) AS transaction,
  (
    SELECT coalesce(json_agg(o ORDER BY o.id), '[]'::json) FROM operation o
    WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
      AND o.payment_service_id = @service::uuid) AS operations
FROM transaction t
WHERE t.merchant_account_id = @account::text AND t.payment_service_id = @service
  AND (t.updated_at, t.id) > (@at::timestamptz, @id::uuid) AND t.updated_at <= @until::timestamptz
  AND t.created_at >= @since::timestamptz
  AND (t.status
    IN ('authorization_succeeded', 'authorization_void_pending', 'capture_pending', 'capture_succeeded')
    OR t.status = 'authorization_voided'
    AND EXISTS (
      SELECT FROM operation v
      WHERE v.merchant_account_id = t.merchant_account_id AND v.transaction_id = t.id AND v.kind = 'void'
        AND v.origin = 'provider')) AND t.payment_service_transaction_id IS NOT NULL
  AND NOT (t.capture_closed AND t.captured_amount > 0 AND t.refunded_amount = t.captured_amount)
ORDER BY t.updated_at, t.id LIMIT @limit::bigint
