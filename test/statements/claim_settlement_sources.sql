-- $1 now, $2 definitions, $3 limit, $4 leaseUntil
WITH due AS (
  SELECT f.merchant_account_id, f.payment_service_id FROM settlement_source f
  JOIN payment_service s ON s.merchant_account_id = f.merchant_account_id AND s.id = f.payment_service_id
  WHERE f.next_fetch_at <= $1 AND s.settlement_reporting_enabled AND s.deleted_at IS NULL
    AND s.definition_id = ANY ($2::text[])
  ORDER BY f.next_fetch_at LIMIT $3 FOR NO KEY UPDATE OF f SKIP LOCKED)
UPDATE settlement_source f SET next_fetch_at = $4 FROM due d
WHERE f.merchant_account_id = d.merchant_account_id AND f.payment_service_id = d.payment_service_id
RETURNING row_to_json(f) AS source
