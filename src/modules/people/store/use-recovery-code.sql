-- Removes a recovery code from the codes of a person. Answers no row for a wrong or used code. One statement
-- reads and writes the codes, so that two codes at once do not restore one another.
UPDATE dashboard_person SET recovery_digests = array_remove(recovery_digests, @digest::text)
WHERE merchant_account_id = @account::text AND id = @id::uuid AND @digest = ANY (recovery_digests)
RETURNING id
