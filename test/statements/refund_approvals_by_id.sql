-- $1 account, $2 ids
SELECT p.merchant_account_id, p.id, p.transaction_id, p.amount, p.currency, p.target, p.redemption_id, p.force, p.external_identifier, p.reason, p.status, p.requested_by, p.requested_by_id, p.decided_by, p.decided_by_id, p.decision_reason, p.operation_id, p.error_code, p.next_attempt_at, p.created_at, p.expires_at, p.decided_at FROM refund_approval p
WHERE p.merchant_account_id = $1 AND p.id = ANY ((SELECT $2::uuid[])::uuid[])
