-- $1 accounts, $2 afters
SELECT f.merchant_account_id, f.sequence, e.id, e.name, e.target_type, e.target_id, e.created_at, e.payload FROM unnest($1::text[], $2::bigint[]) AS lane (account, after)
           JOIN feed_head h ON h.merchant_account_id = ANY (ARRAY[lane.account]) AND h.sequence > lane.after
           CROSS JOIN LATERAL (
             SELECT * FROM feed_entry WHERE merchant_account_id = lane.account AND sequence > lane.after
             ORDER BY sequence LIMIT 200) f
           CROSS JOIN LATERAL (
SELECT * FROM event WHERE position = ANY (ARRAY[f.position]) ORDER BY position LIMIT 1) e
           ORDER BY f.merchant_account_id, f.sequence LIMIT 2000
