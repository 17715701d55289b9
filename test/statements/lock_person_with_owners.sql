-- $1 account, $2 id
SELECT id, role = 'owner' AND state = 'active' AS is_owner FROM dashboard_person
WHERE merchant_account_id = $1 AND (id = $2::uuid OR (role = 'owner' AND state = 'active'))
ORDER BY id FOR UPDATE
