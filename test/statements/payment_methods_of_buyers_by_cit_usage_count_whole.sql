-- $1 account, $2 buyers, $3 limit
SELECT p.id, p.merchant_account_id, p.buyer_id, p.method, p.instrument_type, p.status, p.label, p.scheme, p.last_four, p.expiration_date, p.external_identifier, p.country, p.currency, p.created_at, p.updated_at, p.additional_schemes, p.bin, p.issuer_country, p.bank_scheme, p.fingerprint, p.scheme_transaction_id, p.scheme_transaction_id_scheme, p.scheme_transaction_service_id, p.transaction_link_id, p.redirect_url, p.approval_url, p.usage_count, p.last_used_at, p.cit_usage_count, p.cit_last_used_at FROM (
  SELECT p.*, row_number() OVER (PARTITION BY p.buyer_id ORDER BY p.cit_usage_count DESC, p.id DESC) AS place
  FROM payment_method p
  WHERE p.merchant_account_id = $1 AND p.buyer_id = ANY ((SELECT $2::uuid[])::uuid[]) AND p.deleted_at IS NULL) p
WHERE place <= $3 ORDER BY p.buyer_id, place
