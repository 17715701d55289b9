import type { App } from '../../../app.ts';
import { cardFacts } from '../model/card.ts';
import { countFailureOf, presentCard, type PresentedCard } from '../store/presented-cards/presented-cards.ts';

/** Card numbers that look like guesses. Nothing was stored, and no provider was called. */
export type TooManyCardNumbers = {
  readonly kind: 'TooManyCardNumbers';
  readonly path: readonly string[];
  /**
   * - `numbers`: too many different numbers with the same first eight and last four digits
   * - `failures`: too many payments with the same first eight digits failed
   */
  readonly limit: 'numbers' | 'failures';
  readonly retryAfterSeconds: number;
};

/** A card number in a request, with its fingerprint and its path. */
export type GivenNumber = {
  readonly merchantAccountId: string;
  readonly number: string;
  readonly fingerprint: string;
  readonly path: readonly string[];
};

/** The time in which different numbers count together. */
export const NUMBERS_MS = 86_400_000;

/** The time in which failures count together. */
export const FAILURES_MS = 3_600_000;

/**
 * Counts a card number, and refuses it above a limit. A BIN and the last four digits leave hundreds of numbers to try,
 * and each try is a different number.
 *
 * Above the limit of different numbers, every number is refused. An exception for known numbers would tell which guess
 * is right.
 * Commits once, in one statement. Without limits no statement is sent.
 */
export async function refuseGuess(
  { config, clock, db }: Pick<App, 'config' | 'clock' | 'db'>,
  { merchantAccountId, number, fingerprint, path }: GivenNumber,
): Promise<TooManyCardNumbers | null> {
  const { PAYGRAPH_CARD_NUMBERS_PER_DAY: numbers, PAYGRAPH_CARD_FAILURES_PER_HOUR: failures } = config;
  if (numbers === null && failures === null) return null;
  const now = clock.now();
  const { bin, lastFour } = cardFacts(number);
  const card: PresentedCard = { merchantAccountId, bin, lastFour, fingerprint };
  const most = numbers === null ? null : mostNumbers(number.length, numbers);
  // One number above the limit is kept, to tell that the limit was passed.
  const counted = await presentCard(db, card, { ...windowsAt(now), numbersKept: (most ?? 0) + 1 });
  const refuse = (limit: TooManyCardNumbers['limit'], retryAfterSeconds: number): TooManyCardNumbers => ({
    ...{ kind: 'TooManyCardNumbers', path, limit, retryAfterSeconds },
  });
  if (most !== null && counted.numbers > most)
    return refuse('numbers', secondsTo(counted.numbersSince, NUMBERS_MS, now));
  if (failures !== null && counted.failures >= failures)
    return refuse('failures', secondsTo(counted.failuresSince ?? now, FAILURES_MS, now));
  return null;
}

/** Returns the limit of numbers of a length. Fewer hidden digits leave fewer candidates. */
const mostNumbers = (length: number, setting: number): number =>
  length > 15 ? setting : Math.max(1, Math.floor(setting * (length === 15 ? 0.3 : 0.1)));

/** Counts a declined or failed payment with a card number. Commits once. */
export async function countCardFailure(
  { config, clock, db }: Pick<App, 'config' | 'clock' | 'db'>,
  { merchantAccountId, number }: Pick<GivenNumber, 'merchantAccountId' | 'number'>,
): Promise<void> {
  if (config.PAYGRAPH_CARD_FAILURES_PER_HOUR === null) return;
  const { bin } = cardFacts(number);
  await countFailureOf(db, { merchantAccountId, bin }, windowsAt(clock.now()));
}

const windowsAt = (now: Date) => ({
  now,
  numbersOver: new Date(now.getTime() - NUMBERS_MS),
  failuresOver: new Date(now.getTime() - FAILURES_MS),
});

const secondsTo = (since: Date, windowMs: number, now: Date): number =>
  Math.max(1, Math.ceil((since.getTime() + windowMs - now.getTime()) / 1000));
