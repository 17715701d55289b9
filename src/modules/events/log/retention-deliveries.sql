-- Deletes the deliveries of an account at the given positions. Keeps a pending or leased delivery.
-- A replay can make a delivery due at this moment. The removal of its feed entry then fails, and the
-- transaction rolls back.
DELETE FROM delivery
WHERE merchant_account_id = @account::text AND position = ANY (@positions::bigint[])
  AND state NOT IN ('pending', 'leased')
