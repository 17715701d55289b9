-- Counts a card's fingerprint among the numbers with its BIN and last four digits. Answers the count of
-- numbers, and the failures of the BIN, which the row with empty last four digits has.
-- A number that is counted already writes nothing and takes no lock. The same holds for a card whose row has
-- @numbersKept numbers. New numbers of one row wait for each other, so the conflict branch checks again. A
-- window that began until @numbersOver starts again with this number.
WITH known AS (
  SELECT cardinality(fingerprints) AS numbers, since FROM presented_card
  WHERE merchant_account_id = @account::text AND bin = @bin::text AND last_four = @lastFour::text
    AND since > @numbersOver::timestamptz
    AND (@fingerprint::text = ANY (fingerprints) OR cardinality(fingerprints) >= @numbersKept::int)),
counted AS (
  INSERT INTO presented_card AS p (merchant_account_id, bin, last_four, fingerprints, failures, since)
  SELECT @account, @bin, @lastFour, ARRAY[@fingerprint], 0, @now::timestamptz
  WHERE NOT EXISTS (SELECT FROM known)
  ON CONFLICT (merchant_account_id, bin, last_four) DO UPDATE SET fingerprints = CASE
    WHEN p.since <= @numbersOver THEN excluded.fingerprints
    WHEN @fingerprint = ANY (p.fingerprints) OR cardinality(p.fingerprints) >= @numbersKept
      THEN p.fingerprints
    ELSE p.fingerprints || excluded.fingerprints END,
    since = CASE WHEN p.since <= @numbersOver THEN excluded.since ELSE p.since END
  RETURNING cardinality(p.fingerprints) AS numbers, p.since)
SELECT c.numbers, c.since AS "numbersSince", coalesce(f.failures, 0) AS failures, f.since AS "failuresSince"
FROM (SELECT * FROM known UNION ALL SELECT * FROM counted) c
LEFT JOIN presented_card f ON f.merchant_account_id = @account AND f.bin = @bin
  AND f.last_four = @wholeBin::text AND f.since > @failuresOver::timestamptz
