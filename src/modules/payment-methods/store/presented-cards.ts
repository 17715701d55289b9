import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';

/** A card number that a request presents, without the number. */
export type PresentedCard = {
  readonly merchantAccountId: string;
  readonly bin: string;
  readonly lastFour: string;
  readonly fingerprint: string;
};

/** The numbers and failures that count before a presented card. A window of a row begins with its first card. */
export type Windows = {
  readonly now: Date;
  /** A window of numbers that began until this moment is over. */
  readonly numbersOver: Date;
  /** A window of failures that began until this moment is over. */
  readonly failuresOver: Date;
  /** The most numbers that a row keeps. */
  readonly numbersKept: number;
};

/** The counts after a presented card, and the beginnings of their windows. */
export type Counted = {
  readonly numbers: number;
  readonly numbersSince: Date;
  readonly failures: number;
  readonly failuresSince: Date | null;
};

/** The last four digits of the row that counts the failures of a BIN. */
const WHOLE_BIN = '';

const present = prepare(
  'present_card',
  `WITH known AS (
    SELECT cardinality(fingerprints) AS numbers, since FROM presented_card
    WHERE merchant_account_id = @account AND bin = @bin AND last_four = @lastFour AND since > @numbersOver::timestamptz
      AND (@fingerprint::text = ANY (fingerprints) OR cardinality(fingerprints) >= @numbersKept::int)),
  counted AS (
    INSERT INTO presented_card AS p (merchant_account_id, bin, last_four, fingerprints, failures, since)
    SELECT @account, @bin, @lastFour, ARRAY[@fingerprint], 0, @now::timestamptz WHERE NOT EXISTS (SELECT FROM known)
    ON CONFLICT (merchant_account_id, bin, last_four) DO UPDATE
    SET fingerprints = CASE WHEN p.since <= @numbersOver THEN excluded.fingerprints
          WHEN @fingerprint = ANY (p.fingerprints) OR cardinality(p.fingerprints) >= @numbersKept THEN p.fingerprints
          ELSE p.fingerprints || excluded.fingerprints END,
        since = CASE WHEN p.since <= @numbersOver THEN excluded.since ELSE p.since END
    RETURNING cardinality(p.fingerprints) AS numbers, p.since)
  SELECT c.numbers, c.since AS "numbersSince", coalesce(f.failures, 0) AS failures, f.since AS "failuresSince"
  FROM (SELECT * FROM known UNION ALL SELECT * FROM counted) c LEFT JOIN presented_card f
    ON f.merchant_account_id = @account AND f.bin = @bin AND f.last_four = @wholeBin AND f.since > @failuresOver::timestamptz`,
);

/**
 * Counts a card among the numbers with its BIN and last four digits. Concurrent requests with new numbers wait for each other. A
 * number that is counted already writes nothing.
 */
export async function presentCard(
  db: Db,
  { merchantAccountId, ...card }: PresentedCard,
  windows: Windows,
): Promise<Counted> {
  const values = { account: merchantAccountId, ...card, ...windows, wholeBin: WHOLE_BIN };
  const [counted] = await db.query<Counted>(present(values));
  if (!counted) throw new Error('A presented card was not counted.');
  return counted;
}

const countFailure = prepare(
  'count_card_failure',
  `INSERT INTO presented_card AS p (merchant_account_id, bin, last_four, fingerprints, failures, since)
  VALUES (@account, @bin, @wholeBin, '{}', 1, @now::timestamptz)
  ON CONFLICT (merchant_account_id, bin, last_four) DO UPDATE
  SET failures = CASE WHEN p.since <= @failuresOver::timestamptz THEN 1 ELSE p.failures + 1 END,
      since = CASE WHEN p.since <= @failuresOver THEN excluded.since ELSE p.since END`,
);

/** Counts a failure of a card with this BIN. */
export async function countFailureOf(
  db: Db,
  { merchantAccountId, bin }: Pick<PresentedCard, 'merchantAccountId' | 'bin'>,
  { now, failuresOver }: Pick<Windows, 'now' | 'failuresOver'>,
): Promise<void> {
  await db.query(countFailure({ account: merchantAccountId, bin, wholeBin: WHOLE_BIN, now, failuresOver }));
}

const sweep = prepare(
  'sweep_presented_cards',
  `WITH old AS (
    SELECT merchant_account_id, bin, last_four FROM presented_card WHERE since <= @over::timestamptz
    ORDER BY since LIMIT @limit::int FOR UPDATE SKIP LOCKED)
  DELETE FROM presented_card p USING old o
  WHERE p.merchant_account_id = o.merchant_account_id AND p.bin = o.bin AND p.last_four = o.last_four
  RETURNING 1 AS removed`,
);

/** Removes at most `limit` rows whose windows began until a moment. Returns their number. */
export async function removePresentedCards(
  db: Db,
  windows: { readonly over: Date; readonly limit: number },
): Promise<number> {
  return (await db.query(sweep(windows))).length;
}
