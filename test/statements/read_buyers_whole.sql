-- $1 account, $2 ids
SELECT b.id, b.merchant_account_id, b.display_name, b.external_identifier, b.account_number, b.created_at, b.updated_at, b.billing_details FROM buyer b
WHERE b.merchant_account_id = $1 AND b.deleted_at IS NULL AND b.id = ANY ((SELECT $2::uuid[])::uuid[])
