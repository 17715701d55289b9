-- $1 account, $2 id
SELECT p.status = 'approved' AND p.operation_id IS NULL AS open FROM refund_approval p
WHERE p.merchant_account_id = $1 AND p.id = $2::uuid
