-- $1 ids, $2 access
SELECT id, display_name AS "displayName", thumbprint, algorithm, scopes,
merchant_account_ids AS "merchantAccountIds", active, expires_at AS "expiresAt",
tokens_not_before AS "tokensNotBefore", last_used_at AS "lastUsedAt",
created_at AS "createdAt", updated_at AS "updatedAt" FROM api_key_pair WHERE id = ANY ((SELECT $1::uuid[])::uuid[]) AND (cardinality($2::text[]) = 0
OR (cardinality(merchant_account_ids) > 0 AND merchant_account_ids <@ $2))
