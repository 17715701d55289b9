-- $1 account
WITH removed AS (DELETE FROM report_histogram WHERE merchant_account_id = $1)
DELETE FROM report_bucket WHERE merchant_account_id = $1
