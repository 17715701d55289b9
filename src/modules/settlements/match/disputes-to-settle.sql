-- Reads the disputes of some payments at a payment service, by id. The bound is the list of payments. The
-- column `held` counts the settled chargebacks of a dispute less their reversals, without entries that
-- differ.
SELECT d.id, d.transaction_id AS "transactionId", d.operation_id AS "operationId", d.amount, d.currency,
  (
    SELECT
      count(*) FILTER (WHERE s.kind = 'chargeback') - count(*) FILTER (WHERE s.kind = 'chargeback_reversal')
    FROM settlement s
    WHERE s.merchant_account_id = d.merchant_account_id AND s.dispute_id = d.id
      AND s.difference IS NULL)::int AS held
FROM dispute d
WHERE d.merchant_account_id = @account::text AND d.payment_service_id = @service::uuid
  AND d.transaction_id = ANY (@transactions::uuid[])
ORDER BY d.id
