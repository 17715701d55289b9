-- $1 account, $2 ids
SELECT g.merchant_account_id, g.id, g.buyer_id, g.payment_service_id, g.bin, g.sub_bin, g.last_four, g.expiration_date, g.currency, g.balance, g.balance_updated_at, g.usage_count, g.last_used_at, g.cit_usage_count, g.cit_last_used_at, g.created_at, g.updated_at FROM gift_card g
WHERE g.merchant_account_id = $1 AND g.id = ANY ((SELECT $2::uuid[])::uuid[]) AND g.deleted_at IS NULL
