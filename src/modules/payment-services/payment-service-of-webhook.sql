-- Reads the payment service of a webhook's address, deleted or not.
-- - The token is unique over all merchant accounts.
SELECT row_to_json(s) AS service FROM payment_service s WHERE s.webhook_token = @token::text
