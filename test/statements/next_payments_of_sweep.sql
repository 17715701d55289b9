-- $1 service, $2 account, $3 at, $4 id, $5 until, $6 limit
SELECT row_to_json(t) AS transaction, (
  SELECT coalesce(json_agg(o ORDER BY o.id), '[]'::json) FROM operation o
  WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
    AND o.payment_service_id = $1) AS operations
FROM transaction t
WHERE t.merchant_account_id = $2 AND t.payment_service_id = $1
  AND (t.created_at, t.id) > ($3::timestamptz, $4::uuid) AND t.created_at <= $5
  AND (t.status IN ('authorization_succeeded', 'authorization_void_pending', 'capture_pending', 'capture_succeeded')
    OR t.status = 'authorization_voided' AND EXISTS (SELECT FROM operation v
      WHERE v.merchant_account_id = t.merchant_account_id AND v.transaction_id = t.id AND v.kind = 'void'
        AND v.origin = 'provider'))
  AND t.payment_service_transaction_id IS NOT NULL
  AND NOT (t.capture_closed AND t.captured_amount > 0 AND t.refunded_amount = t.captured_amount)
ORDER BY t.created_at, t.id LIMIT $6
