-- $1 now
UPDATE delivery d SET state = 'pending', lease = NULL, lease_until = NULL
FROM (SELECT endpoint_id, position FROM delivery WHERE state = 'leased' AND lease_until <= $1
      FOR NO KEY UPDATE SKIP LOCKED) ended
WHERE d.position = ANY (ARRAY[ended.position]) AND d.endpoint_id = ANY (ARRAY[ended.endpoint_id])
