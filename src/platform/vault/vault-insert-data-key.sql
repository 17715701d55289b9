-- Writes a version of an account's data key for a purpose. Writes nothing when the version exists.
INSERT INTO
  data_key (merchant_account_id, id, purpose, version, key_encryption_key, wrapped, rotation_id, created_at)
VALUES (@account::text, @id::uuid, @purpose::text, @version::int, @keyId::text, @wrapped::text,
  @rotationId::uuid, @createdAt::timestamptz)
ON CONFLICT (merchant_account_id, purpose, version) DO NOTHING
