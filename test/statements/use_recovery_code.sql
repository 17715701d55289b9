-- $1 digest, $2 account, $3 id
UPDATE dashboard_person SET recovery_digests = array_remove(recovery_digests, $1::text)
WHERE merchant_account_id = $2 AND id = $3::uuid AND $1 = ANY (recovery_digests) RETURNING id
