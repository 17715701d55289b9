-- Writes the entry of a new token in the audit log. A null account means `default`. IS NULL turns the void
-- result of the function into a boolean.
SELECT write_audit_entry(@account::text, 'token.minted', 'api-key-pair', @keyId::text, NULL,
  @fields::jsonb) IS NULL AS written
