-- Locks one payment method until the transaction ends. Answers no row when the id is unknown. FOR NO KEY
-- UPDATE still lets other transactions add rows that refer to the payment method.
SELECT id FROM payment_method WHERE merchant_account_id = @account::text AND id = @id::uuid FOR NO KEY UPDATE
