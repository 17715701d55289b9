-- $1 account, $2 ids
SELECT l.id, l.merchant_account_id, CASE WHEN l.status = 'active' AND l.expires_at <= statement_timestamp() THEN 'expired' ELSE l.status END, l.amount, l.currency, l.country, l.intent, l.payment_source, l.store, l.buyer_id, l.installment_count, l.external_identifier, l.expires_at, l.created_at, l.updated_at, l.offers_receipt, l.receipt_requested_at FROM payment_link l
WHERE l.merchant_account_id = $1 AND l.id = ANY ((SELECT $2::uuid[])::uuid[])
