-- $1 account, $2 ids
SELECT p.id, p.merchant_account_id, p.buyer_id, p.method, p.instrument_type, p.status, p.label, p.scheme, p.last_four, p.expiration_date, p.external_identifier, p.country, p.currency, p.created_at, p.updated_at FROM payment_method p
WHERE p.merchant_account_id = $1 AND p.deleted_at IS NULL AND p.id = ANY ((SELECT $2::uuid[])::uuid[])
