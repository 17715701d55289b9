-- $1 data, $2 account, $3 operation
UPDATE approval SET session_data = $1::jsonb
WHERE merchant_account_id = $2 AND operation_id = $3 AND kind = 'session' AND session_data IS NULL
