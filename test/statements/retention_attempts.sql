-- $1 account, $2 positions
DELETE FROM delivery_attempt a USING delivery d
WHERE d.merchant_account_id = $1 AND d.position = ANY ($2::bigint[]) AND d.state NOT IN ('pending', 'leased')
  AND a.merchant_account_id = d.merchant_account_id AND a.endpoint_id = d.endpoint_id AND a.position = d.position
