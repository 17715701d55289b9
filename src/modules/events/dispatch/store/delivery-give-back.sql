-- Makes leased deliveries pending again. Uses up no attempt. A delivery under another lease stays unchanged.
-- The state is compared in a form that fits no partial index, as in the claim. The form `= ANY (ARRAY[x])`
-- allows only an index look-up, never a join over the whole index.
UPDATE delivery d SET state = 'pending', lease = NULL, lease_until = NULL
FROM unnest(@endpoints::uuid[], @positions::bigint[], @leases::uuid[]) AS given (endpoint_id, position, lease)
WHERE d.position = ANY (ARRAY[given.position]) AND d.endpoint_id = ANY (ARRAY[given.endpoint_id])
  AND d.state || '' = 'leased' AND d.lease = given.lease
