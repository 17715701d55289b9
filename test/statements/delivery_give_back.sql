-- $1 endpoints, $2 positions, $3 leases
UPDATE delivery d SET state = 'pending', lease = NULL, lease_until = NULL
FROM unnest($1::uuid[], $2::bigint[], $3::uuid[]) AS given (endpoint_id, position, lease)
WHERE d.position = ANY (ARRAY[given.position]) AND d.endpoint_id = ANY (ARRAY[given.endpoint_id]) AND d.state || '' = 'leased' AND d.lease = given.lease
