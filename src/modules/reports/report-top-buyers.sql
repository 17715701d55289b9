-- Reads the buyers of one period and currency with the greatest captured amounts, then by id, at most @first.
-- The periods begin at midnight in UTC.
SELECT buyer_id, captured_count, captured_amount FROM report_buyer
WHERE merchant_account_id = @account::text AND grain = @period::text
  AND starts_at = date_trunc(@period, @at::timestamptz, 'UTC') AND currency = @currency::text
ORDER BY captured_amount DESC, buyer_id LIMIT @first::bigint
