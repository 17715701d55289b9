-- Reads the newest version of an account's data key for a purpose. Answers no row when no version exists.
SELECT merchant_account_id AS "merchantAccountId", id, purpose, version, key_encryption_key AS "keyId",
  wrapped, retired_at AS "retiredAt"
FROM data_key
WHERE merchant_account_id = @account::text AND purpose = @purpose::text
ORDER BY version DESC LIMIT 1
