-- $1 account
WITH removed AS (DELETE FROM report_histogram WHERE merchant_account_id = $1),
forgotten AS (DELETE FROM report_buyer WHERE merchant_account_id = $1)
DELETE FROM report_bucket WHERE merchant_account_id = $1
