-- Locks one link until the transaction ends. Answers no row when the id is unknown. FOR NO KEY UPDATE still
-- lets other transactions add rows that refer to the link.
-- A separate statement reads the link, so that its time comes after the wait for this lock.
SELECT id FROM payment_link WHERE merchant_account_id = @account::text AND id = @id::uuid FOR NO KEY UPDATE
