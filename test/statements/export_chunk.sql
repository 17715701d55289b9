-- $1 merchantAccountId, $2 id, $3 number
SELECT convert_from(content, 'LATIN1') AS letters FROM export_chunk
WHERE merchant_account_id = $1 AND export_id = $2 AND number = $3
