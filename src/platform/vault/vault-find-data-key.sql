-- Reads one data key of an account by its id, retired or not. Answers no row when the id is unknown.
SELECT merchant_account_id AS "merchantAccountId", id, purpose, version, key_encryption_key AS "keyId",
  wrapped, retired_at AS "retiredAt"
FROM data_key
WHERE merchant_account_id = @account::text AND id = @id::uuid
