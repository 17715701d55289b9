-- Reads all that each entry names at its payment service, in no order. Each entry has five names at most. The
-- place tells the entries apart.
-- - The two selects by key each use one index. An operation's id is its key, unless the operation has a
--   provider key.
-- - COLLATE "C" fits the index of the payments' references.
-- - The form `= ANY (ARRAY[x])` allows only an index look-up, never a join over the whole index.
SELECT e.place::int, n.*
FROM unnest(@keys::uuid[], @references::text[], @disputes::text[], @payments::text[],
  @captures::text[]) WITH ORDINALITY AS e (key, reference, dispute, payment, capture, place)
CROSS JOIN LATERAL (
  SELECT 'key' AS by, o.transaction_id AS "transactionId", o.id AS "operationId", o.kind AS "operationKind",
    NULL::uuid AS "disputeId"
  FROM operation o
  WHERE o.merchant_account_id = @account::text AND o.id = ANY (ARRAY[e.key]) AND o.provider_key IS NULL
    AND o.payment_service_id = @service::uuid
  UNION ALL
  SELECT 'key', o.transaction_id, o.id, o.kind, NULL FROM operation o
  WHERE o.merchant_account_id = @account AND o.provider_key = ANY (ARRAY[e.key])
    AND o.payment_service_id = @service
  UNION ALL
  SELECT 'reference', o.transaction_id, o.id, o.kind, NULL FROM operation o
  WHERE o.merchant_account_id = @account AND o.provider_reference = ANY (ARRAY[e.reference])
    AND o.payment_service_id = @service
  UNION ALL
  SELECT 'dispute', d.transaction_id, d.operation_id, NULL, d.id FROM dispute d
  WHERE d.merchant_account_id = @account AND d.payment_service_id = @service
    AND d.provider_reference = ANY (ARRAY[e.dispute])
  UNION ALL
  SELECT 'payment', t.id, NULL, NULL, NULL FROM transaction t
  WHERE t.merchant_account_id = @account
    AND t.payment_service_transaction_id COLLATE "C" = ANY (ARRAY[e.payment])
    AND t.payment_service_id = @service
  UNION ALL
  SELECT 'capture', o.transaction_id, NULL, NULL, NULL FROM operation o
  WHERE o.merchant_account_id = @account AND o.provider_reference = ANY (ARRAY[e.capture])
    AND o.payment_service_id = @service AND o.kind IN ('authorize', 'capture')) n
