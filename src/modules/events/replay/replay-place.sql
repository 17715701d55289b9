-- Reads the position and the sequence of one event. Answers no row when the account has no such event in the
-- feed.
SELECT e.position, f.sequence FROM event e JOIN feed_entry f USING (position)
WHERE e.merchant_account_id = @account::text AND e.id = @event::uuid
