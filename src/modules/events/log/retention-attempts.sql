-- Deletes the attempts of an account's deliveries at the given positions. Keeps the attempts of a pending or
-- leased delivery.
DELETE FROM delivery_attempt a
USING delivery d
WHERE d.merchant_account_id = @account::text AND d.position = ANY (@positions::bigint[])
  AND d.state NOT IN ('pending', 'leased') AND a.merchant_account_id = d.merchant_account_id
  AND a.endpoint_id = d.endpoint_id AND a.position = d.position
