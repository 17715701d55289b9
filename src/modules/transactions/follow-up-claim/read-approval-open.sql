-- Reads if one request for a refund is approved and has no refund yet. Answers no row without such a
-- request.
SELECT p.status = 'approved' AND p.operation_id IS NULL AS open FROM refund_approval p
WHERE p.merchant_account_id = @account::text AND p.id = @id::uuid
