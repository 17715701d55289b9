-- $1 at, $2 cit, $3 account, $4 id
UPDATE payment_method SET
  usage_count = usage_count + 1, last_used_at = greatest(last_used_at, $1::timestamptz),
  cit_usage_count = cit_usage_count + $2::boolean::int,
  cit_last_used_at = CASE WHEN $2::boolean THEN greatest(cit_last_used_at, $1) ELSE cit_last_used_at END
WHERE merchant_account_id = $3 AND id = $4::uuid
