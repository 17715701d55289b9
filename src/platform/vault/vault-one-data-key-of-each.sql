-- Reads one data key for each master key: the one with the lowest id that is not retired.
SELECT merchant_account_id AS "merchantAccountId", id, purpose, version, key_encryption_key AS "keyId",
  wrapped, retired_at AS "retiredAt"
FROM (
  SELECT DISTINCT ON (key_encryption_key) * FROM data_key WHERE retired_at IS NULL
  ORDER BY key_encryption_key, id) of_each
