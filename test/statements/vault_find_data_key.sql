-- $1 account, $2 id
SELECT merchant_account_id AS "merchantAccountId", id, purpose, version,
key_encryption_key AS "keyId", wrapped, retired_at AS "retiredAt" FROM data_key WHERE merchant_account_id = $1 AND id = $2
