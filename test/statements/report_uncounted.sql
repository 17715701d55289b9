-- $1 account
SELECT min(created_at) AS created_at FROM report_pending WHERE merchant_account_id = $1
