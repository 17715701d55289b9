-- Makes the open differences of a payment due for another match at once. Changes only differences that a new
-- booking may resolve, and none that a person has explained.
UPDATE settlement SET rematch_at = @now::timestamptz
WHERE merchant_account_id = @account::text AND transaction_id = @transaction::uuid AND explained_at IS NULL
  AND difference IN ('operation_not_succeeded', 'other_amount', 'other_currency', 'already_settled')
