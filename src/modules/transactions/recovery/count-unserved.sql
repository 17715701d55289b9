-- Counts the payment services of all merchant accounts whose definition is none of the list, by definition.
-- Counts their pending operations up to @limit for each service. Locks nothing.
-- A deleted service without a pending operation needs its connector no more.
SELECT s.definition_id AS "definitionId", count(*)::int AS services, sum(open.operations)::int AS operations
FROM payment_service s
CROSS JOIN LATERAL (
  SELECT count(*) AS operations FROM (
    SELECT FROM operation o
    WHERE o.merchant_account_id = s.merchant_account_id AND o.payment_service_id = s.id
      AND o.status = 'pending'
    LIMIT @limit::int) pending) open
WHERE s.definition_id <> ALL (@definitions::text[]) AND (s.deleted_at IS NULL OR open.operations > 0)
GROUP BY s.definition_id
ORDER BY s.definition_id
