-- $1 merchantAccountId, $2 id, $3 number
SELECT content FROM export_chunk
WHERE merchant_account_id = $1 AND export_id = $2 AND number = $3
