-- $1 account, $2 bin, $3 lastFour, $4 numbersOver, $5 fingerprint, $6 numbersKept, $7 now, $8 wholeBin, $9 failuresOver
WITH known AS (
  SELECT cardinality(fingerprints) AS numbers, since FROM presented_card
  WHERE merchant_account_id = $1 AND bin = $2 AND last_four = $3 AND since > $4::timestamptz
    AND ($5::text = ANY (fingerprints) OR cardinality(fingerprints) >= $6::int)),
counted AS (
  INSERT INTO presented_card AS p (merchant_account_id, bin, last_four, fingerprints, failures, since)
  SELECT $1, $2, $3, ARRAY[$5], 0, $7::timestamptz WHERE NOT EXISTS (SELECT FROM known)
  ON CONFLICT (merchant_account_id, bin, last_four) DO UPDATE
  SET fingerprints = CASE WHEN p.since <= $4 THEN excluded.fingerprints
        WHEN $5 = ANY (p.fingerprints) OR cardinality(p.fingerprints) >= $6 THEN p.fingerprints
        ELSE p.fingerprints || excluded.fingerprints END,
      since = CASE WHEN p.since <= $4 THEN excluded.since ELSE p.since END
  RETURNING cardinality(p.fingerprints) AS numbers, p.since)
SELECT c.numbers, c.since AS "numbersSince", coalesce(f.failures, 0) AS failures, f.since AS "failuresSince"
FROM (SELECT * FROM known UNION ALL SELECT * FROM counted) c LEFT JOIN presented_card f
  ON f.merchant_account_id = $1 AND f.bin = $2 AND f.last_four = $8 AND f.since > $9::timestamptz
