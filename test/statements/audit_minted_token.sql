-- $1 account, $2 keyId, $3 fields
SELECT write_audit_entry($1::text, 'token.minted', 'api-key-pair', $2::text, NULL, $3::jsonb) IS NULL AS written
