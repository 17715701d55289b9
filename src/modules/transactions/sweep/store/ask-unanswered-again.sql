-- Makes every payment due that a provider gave no answer about, of all merchant accounts, and counts its
-- questions anew. Answers the number of the payments.
WITH due AS (UPDATE unanswered_payment SET tries = 0, next_at = @now::timestamptz RETURNING 1)
SELECT count(*)::int AS payments FROM due
