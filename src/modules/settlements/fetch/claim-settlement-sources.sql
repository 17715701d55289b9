-- Locks the due sources of every merchant account, oldest first, at most @limit, and writes their leases. The
-- lease is the next fetch. SKIP LOCKED leaves out sources that another process claims. Leaves out payment
-- services that are deleted, report no settlements, or have a definition beside @definitions.
WITH due AS (
  SELECT f.merchant_account_id, f.payment_service_id FROM settlement_source f
  JOIN payment_service s ON s.merchant_account_id = f.merchant_account_id AND s.id = f.payment_service_id
  WHERE f.next_fetch_at <= @now::timestamptz AND s.settlement_reporting_enabled AND s.deleted_at IS NULL
    AND s.definition_id = ANY (@definitions::text[])
    AND f.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  ORDER BY f.next_fetch_at LIMIT @limit::bigint FOR NO KEY UPDATE OF f SKIP LOCKED)
UPDATE settlement_source f SET next_fetch_at = @leaseUntil::timestamptz FROM due d
WHERE f.merchant_account_id = d.merchant_account_id AND f.payment_service_id = d.payment_service_id
RETURNING row_to_json(f) AS source
