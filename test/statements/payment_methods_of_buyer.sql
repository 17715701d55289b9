-- $1 sort, $2 account, $3 buyer, $4 country, $5 currency, $6 sign, $7 limit
SELECT p.id, p.merchant_account_id, p.buyer_id, p.method, p.instrument_type, p.status, p.label, p.scheme, p.last_four, p.expiration_date, p.external_identifier, p.country, p.currency, p.created_at, p.updated_at, p.additional_schemes, p.bin, p.issuer_country, p.bank_scheme, p.fingerprint, p.scheme_transaction_id, p.scheme_transaction_id_scheme, p.scheme_transaction_service_id, p.transaction_link_id, p.redirect_url, p.approval_url, p.usage_count, p.last_used_at, p.cit_usage_count, p.cit_last_used_at FROM (
  SELECT p.*, row_number() OVER (ORDER BY CASE $1::text
    WHEN 'last_used_at' THEN coalesce(extract(epoch FROM p.last_used_at), -1)
    WHEN 'usage_count' THEN p.usage_count
    WHEN 'cit_last_used_at' THEN coalesce(extract(epoch FROM p.cit_last_used_at), -1)
    WHEN 'cit_usage_count' THEN p.cit_usage_count
    ELSE 0 END, p.id) AS place
  FROM payment_method p
  WHERE p.merchant_account_id = $2 AND p.buyer_id = $3::uuid AND p.deleted_at IS NULL
    AND coalesce(p.country = $4::text, true) AND coalesce(p.currency = $5::text, true)) p
ORDER BY place * $6::int LIMIT $7
