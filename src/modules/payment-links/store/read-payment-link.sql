-- Reads one link of an account by its id. Leaves out the columns of the token. An active link beyond its
-- expiry shows the status `expired`, by the clock of the database.
SELECT to_jsonb(l) - 'token_digest' - 'sealed_token'
  || jsonb_build_object(
    'status', CASE
      WHEN l.status = 'active' AND l.expires_at <= statement_timestamp() THEN 'expired'
      ELSE l.status END) AS link
FROM payment_link l
WHERE l.merchant_account_id = @account::text AND l.id = @id::uuid
