-- $1 account, $2 person, $3 now, $4 network, $5 strange, $6 free, $7 waitMost, $8 wait
WITH strangers AS (
  SELECT coalesce(sum(failures), 0) AS failures FROM dashboard_sign_in
  WHERE merchant_account_id = $1 AND person_id = $2::uuid AND succeeded_at IS NULL
    AND failed_at > $3::timestamptz - interval '1 hour')
INSERT INTO dashboard_sign_in AS s (merchant_account_id, person_id, network, failures, failed_at)
SELECT $1, $2::uuid, $4, 1, $3::timestamptz FROM strangers
WHERE failures < $5::int OR EXISTS (
  SELECT FROM dashboard_sign_in WHERE merchant_account_id = $1 AND person_id = $2::uuid
    AND network = $4 AND succeeded_at IS NOT NULL)
ON CONFLICT (merchant_account_id, person_id, network) DO UPDATE
SET failures = s.failures + 1, failed_at = excluded.failed_at
WHERE s.failures < $6::int
  OR s.failed_at + make_interval(secs => least($7::int, $8::int * 2 ^ least(s.failures - $6::int, 20))) <= $3::timestamptz
RETURNING failures
