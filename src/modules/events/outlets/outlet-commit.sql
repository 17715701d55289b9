-- Writes the last published sequences of merchant accounts, if the outlet still has the given lease. No
-- sequence goes back. Answers the number of written rows.
WITH written AS (
  INSERT INTO outlet_position AS p (outlet, merchant_account_id, sequence)
  SELECT @outlet::text, given.account, given.sequence
  FROM unnest(@accounts::text[], @sequences::bigint[]) AS given (account, sequence)
  WHERE EXISTS (SELECT FROM outlet WHERE name = @outlet AND lease = @lease::uuid)
  ON CONFLICT (outlet, merchant_account_id) DO UPDATE SET sequence = excluded.sequence
  WHERE p.sequence < excluded.sequence
  RETURNING p.sequence)
SELECT count(*)::int AS written FROM written
