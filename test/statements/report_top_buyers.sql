-- $1 account, $2 period, $3 at, $4 currency, $5 first
SELECT buyer_id, captured_count, captured_amount FROM report_buyer
WHERE merchant_account_id = $1 AND grain = $2 AND starts_at = date_trunc($2, $3::timestamptz, 'UTC')
  AND currency = $4
ORDER BY captured_amount DESC, buyer_id LIMIT $5
