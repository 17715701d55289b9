-- $1 now
WITH draining AS MATERIALIZED (
  SELECT merchant_account_id, id, draining_since FROM webhook_endpoint
  WHERE draining_since IS NOT NULL AND state = 'active' AND deleted_at IS NULL
  ORDER BY draining_since LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
later AS MATERIALIZED (
  SELECT d.endpoint_id, d.position FROM draining CROSS JOIN LATERAL (
    SELECT endpoint_id, position FROM delivery
    WHERE endpoint_id = draining.id AND state = 'pending' AND next_at > $1
      AND NOT EXISTS (
        SELECT FROM delivery_attempt a
        WHERE a.merchant_account_id = draining.merchant_account_id AND a.endpoint_id = draining.id
          AND a.position = delivery.position AND a.started_at >= draining.draining_since
        OFFSET 0)
    ORDER BY next_at, position LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED) d),
due AS (
  UPDATE delivery d SET next_at = $1
  FROM later WHERE d.position = ANY (ARRAY[later.position]) AND d.endpoint_id = ANY (ARRAY[later.endpoint_id])),
ended AS (
  UPDATE webhook_endpoint w SET draining_since = NULL FROM draining
  WHERE w.merchant_account_id = ANY (ARRAY[draining.merchant_account_id]) AND w.id = ANY (ARRAY[draining.id])
    AND (SELECT count(*) FROM later) < 1000)
SELECT true AS more FROM draining
