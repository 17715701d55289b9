-- $1 access, $2 cursor, $3 limit
SELECT id, display_name AS "displayName", thumbprint, algorithm, scopes,
merchant_account_ids AS "merchantAccountIds", active, expires_at AS "expiresAt",
tokens_not_before AS "tokensNotBefore", last_used_at AS "lastUsedAt",
created_at AS "createdAt", updated_at AS "updatedAt" FROM api_key_pair
   WHERE (cardinality($1::text[]) = 0
OR (cardinality(merchant_account_ids) > 0 AND merchant_account_ids <@ $1)) AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3
