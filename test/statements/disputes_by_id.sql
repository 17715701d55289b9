-- $1 account, $2 ids
SELECT d.merchant_account_id, d.id, d.transaction_id, d.operation_id, d.payment_service_id, d.provider_reference, d.stage, d.status, d.reason, d.reason_code, d.amount, d.currency, d.lost_amount, d.decided_stage, d.respond_by, d.reported_at, d.created_at, d.updated_at FROM dispute d
WHERE d.merchant_account_id = $1 AND d.id = ANY ((SELECT $2::uuid[])::uuid[])
