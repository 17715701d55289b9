-- $1 account, $2 identifiers
SELECT b.id, b.merchant_account_id, b.display_name, b.external_identifier, b.account_number, b.created_at, b.updated_at, b.billing_details FROM buyer b
WHERE b.merchant_account_id = $1 AND b.deleted_at IS NULL AND b.external_identifier = ANY ((SELECT $2::text[])::text[])
