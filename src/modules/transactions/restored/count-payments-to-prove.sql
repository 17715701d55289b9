-- Counts the open payments of each payment service that were not compared since a restore. A payment that
-- changed since then counts too. Counts at most @limit of each kind.
-- Reads the progress of the comparison there, of all merchant accounts. Leaves out payment services with
-- nothing to compare. Locks nothing.
SELECT s.merchant_account_id AS "merchantAccountId", s.id AS "paymentServiceId",
  s.display_name AS "displayName", s.definition_id AS "definitionId",
  s.deleted_at IS NOT NULL AS "isDeleted", p.proof, l.payments::int AS "left"
FROM payment_service s
LEFT JOIN LATERAL (
  SELECT b.proof FROM books_sweep b
  WHERE b.merchant_account_id = s.merchant_account_id AND b.payment_service_id = s.id
    AND b.proof ->> 'hold' = @hold::text) p ON true
CROSS JOIN LATERAL (
  SELECT count(*) AS payments FROM (
    (SELECT t.id FROM payments_to_compare(s.merchant_account_id, s.id) t
    WHERE t.created_at >= @since::timestamptz AND (p.proof -> 'isDone') IS DISTINCT FROM 'true'::jsonb
      AND (t.created_at, t.id)
        < (coalesce((p.proof #>> '{place,at}')::timestamptz, 'infinity'),
          coalesce((p.proof #>> '{place,id}')::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    LIMIT @limit::bigint)
    UNION
    (SELECT t.id FROM payments_to_compare(s.merchant_account_id, s.id) t
    WHERE t.created_at >= @since
      AND (t.updated_at, t.id)
        > ((p.proof #>> '{changed,at}')::timestamptz, (p.proof #>> '{changed,id}')::uuid)
    LIMIT @limit)) open) l
WHERE l.payments > 0 OR p.proof IS NOT NULL
ORDER BY s.merchant_account_id, s.display_name, s.id
