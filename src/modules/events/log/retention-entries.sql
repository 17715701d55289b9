-- Deletes the feed entries of an account at the given positions. Fails while a delivery still refers to an
-- entry.
DELETE FROM feed_entry WHERE merchant_account_id = @account::text AND position = ANY (@positions::bigint[])
