-- Locks a person and all active owners of the account, by id. The order of the locks is one for all, so that
-- two changes never wait for each other.
SELECT id, role = 'owner' AND state = 'active' AS is_owner FROM dashboard_person
WHERE merchant_account_id = @account::text AND (id = @id::uuid OR (role = 'owner' AND state = 'active'))
ORDER BY id FOR UPDATE
