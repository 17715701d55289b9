import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';

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

const present = prepareFile(import.meta, 'present-card.sql');

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

const countFailure = prepareFile(import.meta, 'count-card-failure.sql');

/** Counts a failure of a card with this BIN. */
export async function countFailureOf(
  db: Db,
  { merchantAccountId, bin }: Pick<PresentedCard, 'merchantAccountId' | 'bin'>,
  { now, failuresOver }: Pick<Windows, 'now' | 'failuresOver'>,
): Promise<void> {
  await db.query(countFailure({ account: merchantAccountId, bin, wholeBin: WHOLE_BIN, now, failuresOver }));
}

const sweep = prepareFile(import.meta, 'sweep-presented-cards.sql');

/** Removes at most `limit` rows whose windows began until a moment. Returns their number. */
export async function removePresentedCards(
  db: Db,
  windows: { readonly over: Date; readonly limit: number },
): Promise<number> {
  return (await db.query(sweep(windows))).length;
}
