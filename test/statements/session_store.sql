-- $1 data, $2 atProvider, $3 now, $4 account, $5 operation
UPDATE approval SET session_data = $1::jsonb, approved_at = CASE WHEN $2 THEN $3::timestamptz ELSE approved_at END
WHERE merchant_account_id = $4 AND operation_id = $5 AND kind = 'session' AND session_data IS NULL
