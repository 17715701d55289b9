-- Writes the client's data to a session. Changes nothing when the session has data, so that simultaneous
-- callers get the same data. Changes no other kind of approval. An approval in the provider's software
-- counts as given now.
UPDATE approval SET session_data = @data::jsonb,
  approved_at = CASE WHEN @atProvider::boolean THEN @now::timestamptz ELSE approved_at END
WHERE merchant_account_id = @account::text AND operation_id = @operation::uuid AND kind = 'session'
  AND session_data IS NULL
