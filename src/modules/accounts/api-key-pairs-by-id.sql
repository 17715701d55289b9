-- Reads key pairs by their ids within the access of the caller, in no order. The bound is the list of ids. An
-- empty access covers all key pairs. A key pair without accounts covers every account, so a limited access
-- leaves the pair out.
-- - The inner SELECT hides the list from the planner, so one plan serves all lists. Postgres would otherwise
--   plan each run anew, which takes twice as long as the look-up. The outer cast keeps Postgres from taking
--   the hidden list for a list of rows.
SELECT id, display_name AS "displayName", thumbprint, algorithm, scopes,
  merchant_account_ids AS "merchantAccountIds", active, expires_at AS "expiresAt",
  tokens_not_before AS "tokensNotBefore", last_used_at AS "lastUsedAt", created_at AS "createdAt",
  updated_at AS "updatedAt"
FROM api_key_pair
WHERE id = ANY ((SELECT @ids::uuid[])::uuid[])
  AND (cardinality(@access::text[]) = 0
    OR (cardinality(merchant_account_ids) > 0 AND merchant_account_ids <@ @access))
