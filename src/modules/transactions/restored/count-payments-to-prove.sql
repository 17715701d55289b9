-- Counts the open payments of each payment service that were not compared since a restore. A payment that
-- changed since then counts too. Counts at most @limit of each kind. Reads the progress of the comparison
-- there, of all merchant accounts.
-- Counts apart the payments that the provider gave no answer about, by the cause. Names the first hundred.
-- Leaves out payment services with nothing to compare. Locks nothing.
SELECT s.merchant_account_id AS "merchantAccountId", s.id AS "paymentServiceId",
  s.display_name AS "displayName", s.definition_id AS "definitionId",
  s.deleted_at IS NOT NULL AS "isDeleted", p.proof, l.payments::int AS "left", w.unanswered
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
CROSS JOIN LATERAL (
  SELECT coalesce(json_agg(c ORDER BY c.cause), '[]'::json) AS unanswered
  FROM (
    SELECT u.cause, count(*) AS payments, min(u.next_at) AS "nextAt",
      (array_agg(u.transaction_id ORDER BY u.transaction_id))[1:100] AS "transactionIds"
    FROM unanswered_payment u
    CROSS JOIN LATERAL (
      SELECT FROM payments_to_compare(s.merchant_account_id, s.id) t
      WHERE t.id = u.transaction_id AND t.created_at >= @since LIMIT 1) open
    WHERE u.merchant_account_id = s.merchant_account_id AND u.payment_service_id = s.id
    GROUP BY u.cause) c) w
WHERE l.payments > 0 OR p.proof IS NOT NULL OR w.unanswered::jsonb <> '[]'
ORDER BY s.merchant_account_id, s.display_name, s.id
