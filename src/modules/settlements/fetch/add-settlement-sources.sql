-- Adds a source that is due now for each payment service with settlement reporting that has none. Changes
-- nothing for a deleted payment service. ON CONFLICT covers another process that adds the same source.
INSERT INTO settlement_source (merchant_account_id, payment_service_id, next_fetch_at, created_at)
SELECT s.merchant_account_id, s.id, @now::timestamptz, @now FROM payment_service s
WHERE s.settlement_reporting_enabled AND s.deleted_at IS NULL
  AND s.merchant_account_id <> ALL (ARRAY(SELECT account FROM account_away))
  AND NOT EXISTS (
    SELECT FROM settlement_source f
    WHERE f.merchant_account_id = s.merchant_account_id AND f.payment_service_id = s.id)
ON CONFLICT DO NOTHING
