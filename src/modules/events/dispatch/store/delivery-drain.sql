-- Locks the endpoint that recovered first, and at most 1000 of its deliveries with a later due time. Makes
-- these deliveries due now. Ends the draining when the endpoint has fewer than 1000 such deliveries. Answers
-- no row when no endpoint is draining. Skips rows that another process has locked.
-- The endpoint is locked before its deliveries, as in the claim. A delivery with an attempt since the
-- recovery has failed, and keeps its delay.
-- OFFSET 0 prevents a join of the attempts' look-up with all attempts. The form `= ANY (ARRAY[x])` allows
-- only an index look-up, never a join over the whole index.
WITH draining AS MATERIALIZED (
  SELECT merchant_account_id, id, draining_since FROM webhook_endpoint
  WHERE draining_since IS NOT NULL AND state = 'active' AND deleted_at IS NULL
    AND merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY draining_since LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED),
later AS MATERIALIZED (
  SELECT d.endpoint_id, d.position FROM draining
  CROSS JOIN LATERAL (
    SELECT endpoint_id, position FROM delivery
    WHERE endpoint_id = draining.id AND state = 'pending' AND next_at > @now::timestamptz
      AND NOT EXISTS (
        SELECT FROM delivery_attempt a
        WHERE a.merchant_account_id = draining.merchant_account_id AND a.endpoint_id = draining.id
          AND a.position = delivery.position AND a.started_at >= draining.draining_since
        OFFSET 0)
    ORDER BY next_at, position LIMIT 1000 FOR NO KEY UPDATE SKIP LOCKED) d),
due AS (
  UPDATE delivery d SET next_at = @now FROM later
  WHERE d.position = ANY (ARRAY[later.position]) AND d.endpoint_id = ANY (ARRAY[later.endpoint_id])),
ended AS (
  UPDATE webhook_endpoint w SET draining_since = NULL FROM draining
  WHERE w.merchant_account_id = ANY (ARRAY[draining.merchant_account_id]) AND w.id = ANY (ARRAY[draining.id])
    AND (SELECT count(*) FROM later) < 1000)
SELECT true AS more FROM draining
