-- $1 at, $2 account
SELECT h.sequence, h.floor, (
SELECT e.id FROM feed_entry f CROSS JOIN LATERAL (
SELECT * FROM event WHERE position = ANY (ARRAY[f.position]) ORDER BY position LIMIT 1) e
WHERE f.merchant_account_id = h.merchant_account_id AND f.sequence = h.sequence) AS "headId", (
SELECT e.id FROM feed_entry f CROSS JOIN LATERAL (
SELECT * FROM event WHERE position = ANY (ARRAY[f.position]) ORDER BY position LIMIT 1) e
WHERE f.merchant_account_id = h.merchant_account_id AND f.sequence = $1::bigint) AS "idAt"
 FROM feed_head h WHERE h.merchant_account_id = $2
