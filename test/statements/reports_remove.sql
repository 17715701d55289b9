-- $1 account
DELETE FROM report_bucket WHERE merchant_account_id = $1
