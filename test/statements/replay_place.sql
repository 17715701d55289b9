-- $1 account, $2 event
SELECT e.position, f.sequence FROM event e JOIN feed_entry f USING (position)
WHERE e.merchant_account_id = $1 AND e.id = $2::uuid
