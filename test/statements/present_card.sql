-- $1 account, $2 bin, $3 lastFour, $4 fingerprint, $5 now, $6 numbersOver, $7 numbersKept, $8 wholeBin, $9 failuresOver
WITH counted AS (
  INSERT INTO presented_card AS p (merchant_account_id, bin, last_four, fingerprints, failures, since)
  VALUES ($1, $2, $3, ARRAY[$4::text], 0, $5::timestamptz)
  ON CONFLICT (merchant_account_id, bin, last_four) DO UPDATE
  SET fingerprints = CASE WHEN p.since <= $6::timestamptz THEN excluded.fingerprints
        WHEN $4 = ANY (p.fingerprints) OR cardinality(p.fingerprints) >= $7::int THEN p.fingerprints
        ELSE p.fingerprints || excluded.fingerprints END,
      since = CASE WHEN p.since <= $6 THEN excluded.since ELSE p.since END
  RETURNING cardinality(p.fingerprints) AS numbers, p.since)
SELECT c.numbers, c.since AS "numbersSince", coalesce(f.failures, 0) AS failures, f.since AS "failuresSince"
FROM counted c LEFT JOIN presented_card f
  ON f.merchant_account_id = $1 AND f.bin = $2 AND f.last_four = $8 AND f.since > $9::timestamptz
