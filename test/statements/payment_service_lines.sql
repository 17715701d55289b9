-- $1 account
SELECT s.id, s.merchant_account_id, s.definition_id, s.method, s.display_name, s.position, s.active, s.status, s.deleted_at IS NOT NULL, s.created_at, s.updated_at FROM payment_service s
WHERE s.merchant_account_id = $1 ORDER BY s.id DESC LIMIT 101
