-- Reads the payments of a payment service that are due for another question, with their operations there.
-- The longest due come first, at most @limit. Removes the rows of payments that are not open any more.
-- LIMIT 1 and IS NULL allow only a look-up of each payment, never a read of all open payments.
WITH closed AS (
  DELETE FROM unanswered_payment u
  WHERE u.merchant_account_id = @account::text AND u.payment_service_id = @service::uuid
    AND (SELECT t.id FROM payments_to_compare(@account, @service) t WHERE t.id = u.transaction_id) IS NULL)
SELECT row_to_json(t) AS transaction,
  (
    SELECT coalesce(json_agg(o ORDER BY o.id), '[]'::json) FROM operation o
    WHERE o.merchant_account_id = t.merchant_account_id AND o.transaction_id = t.id
      AND o.payment_service_id = @service) AS operations
FROM unanswered_payment u
CROSS JOIN LATERAL (
  SELECT p.* FROM payments_to_compare(@account, @service) p WHERE p.id = u.transaction_id LIMIT 1) t
WHERE u.merchant_account_id = @account AND u.payment_service_id = @service
  AND u.next_at <= @now::timestamptz
ORDER BY u.next_at, u.transaction_id LIMIT @limit::bigint
