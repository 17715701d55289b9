-- $1 account, $2 ids
SELECT f.merchant_account_id, f.sequence, e.id, e.name, e.target_type, e.target_id, e.created_at FROM (
  SELECT * FROM event WHERE merchant_account_id = $1 AND id = ANY ((SELECT $2::uuid[])::uuid[]) OFFSET 0) e
CROSS JOIN LATERAL (SELECT merchant_account_id, sequence FROM feed_entry WHERE position = e.position OFFSET 0) f
JOIN feed_head h ON h.merchant_account_id = $1 AND f.sequence > h.floor
