-- $1 ids, $2 account
SELECT d.endpoint_id AS "webhookEndpointId", d.position, d.state, d.attempts_made AS "attemptCount",
d.next_at AS "nextAt", d.deadline AS "expiresAt", d.created_at AS "createdAt", d.settled_at AS "settledAt",
e.merchant_account_id AS "merchantAccountId", e.id AS "eventId", e.name, e.target_type AS "targetType",
e.target_id AS "targetId", e.payload, e.created_at AS "eventCreatedAt", f.sequence FROM unnest($1::uuid[]) AS wanted (id)
 CROSS JOIN LATERAL (
   SELECT * FROM event WHERE merchant_account_id = $2 AND id = ANY (ARRAY[wanted.id]) OFFSET 0) e
 JOIN feed_entry f ON f.position = e.position
 CROSS JOIN LATERAL (
   SELECT * FROM (
     SELECT * FROM delivery WHERE position = e.position AND merchant_account_id = $2 OFFSET 0) of_one
   ORDER BY endpoint_id DESC LIMIT 50) d
 ORDER BY e.position, d.endpoint_id DESC
