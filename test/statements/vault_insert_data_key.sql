-- $1 account, $2 id, $3 purpose, $4 version, $5 keyId, $6 wrapped, $7 rotationId, $8 createdAt
INSERT INTO data_key
  (merchant_account_id, id, purpose, version, key_encryption_key, wrapped, rotation_id, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (merchant_account_id, purpose, version) DO NOTHING
