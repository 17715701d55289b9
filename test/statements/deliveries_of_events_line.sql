-- $1 ids, $2 account
SELECT d.endpoint_id, d.position, d.state, d.attempts_made, d.next_at, d.deadline, d.created_at, d.settled_at, f.merchant_account_id, f.sequence, e.id, e.name, e.target_type, e.target_id, e.created_at FROM unnest((SELECT $1::uuid[])) AS wanted (id)
CROSS JOIN LATERAL (
  SELECT * FROM event WHERE merchant_account_id = $2 AND id = ANY (ARRAY[wanted.id]) OFFSET 0) e
JOIN feed_entry f ON f.position = e.position
CROSS JOIN LATERAL (
  SELECT * FROM (
    SELECT * FROM delivery WHERE position = e.position AND merchant_account_id = $2 OFFSET 0) of_one
  ORDER BY endpoint_id DESC LIMIT 50) d
ORDER BY e.position, d.endpoint_id DESC
