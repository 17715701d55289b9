-- $1 account, $2 bin, $3 wholeBin, $4 now, $5 failuresOver
INSERT INTO presented_card AS p (merchant_account_id, bin, last_four, fingerprints, failures, since)
VALUES ($1, $2, $3, '{}', 1, $4::timestamptz)
ON CONFLICT (merchant_account_id, bin, last_four) DO UPDATE
SET failures = CASE WHEN p.since <= $5::timestamptz THEN 1 ELSE p.failures + 1 END,
    since = CASE WHEN p.since <= $5 THEN excluded.since ELSE p.since END
