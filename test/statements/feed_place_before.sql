-- $1 account, $2 below, $3 moment
SELECT f.sequence, e.id FROM (
   SELECT * FROM feed_entry
   WHERE merchant_account_id = $1 AND sequence <= $2 AND created_at <= $3
   ORDER BY sequence DESC LIMIT 1) f CROSS JOIN LATERAL (
SELECT * FROM event WHERE position = ANY (ARRAY[f.position]) ORDER BY position LIMIT 1) e
