-- Counts a failure in the row of the BIN, or writes the row with its first failure. The row of a BIN has
-- empty last four digits. A window that began until @failuresOver starts again with 1.
INSERT INTO presented_card AS p (merchant_account_id, bin, last_four, fingerprints, failures, since)
VALUES (@account::text, @bin::text, @wholeBin::text, '{}', 1, @now::timestamptz)
ON CONFLICT (merchant_account_id, bin, last_four) DO UPDATE SET failures = CASE
  WHEN p.since <= @failuresOver::timestamptz THEN 1
  ELSE p.failures + 1 END, since = CASE WHEN p.since <= @failuresOver THEN excluded.since ELSE p.since END
