-- Counts an attempt to sign in as failed before the look at the password. Many attempts at once therefore
-- count like one after another. Answers no row, and counts nothing, when the person must wait.
-- - Fewer than @free failures from one network cost no wait. The next failure costs @wait seconds. Each
--   further failure doubles the wait, up to @waitMost seconds.
-- - The expression `strangers` adds up the failures of networks without a success that failed within the last
--   hour. The statement refuses all such networks from @strange failures on.
-- - The exponent stops at 20, so that the power stays in its range.
WITH strangers AS (
  SELECT coalesce(sum(failures), 0) AS failures FROM dashboard_sign_in
  WHERE merchant_account_id = @account::text AND person_id = @person::uuid AND succeeded_at IS NULL
    AND failed_at > @now::timestamptz - interval '1 hour')
INSERT INTO dashboard_sign_in AS s (merchant_account_id, person_id, network, failures, failed_at)
SELECT @account, @person::uuid, @network::text, 1, @now::timestamptz FROM strangers
WHERE failures < @strange::int
  OR EXISTS (
    SELECT FROM dashboard_sign_in
    WHERE merchant_account_id = @account AND person_id = @person::uuid AND network = @network
      AND succeeded_at IS NOT NULL)
ON CONFLICT (merchant_account_id, person_id, network) DO UPDATE SET failures = s.failures + 1,
  failed_at = excluded.failed_at
WHERE s.failures < @free::int
  OR s.failed_at
    + make_interval(
      secs => least(@waitMost::int, @wait::int * 2 ^ least(s.failures - @free::int, 20))) <=
      @now::timestamptz
RETURNING failures
