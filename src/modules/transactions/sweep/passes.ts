const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * The ages at which a payment is compared with its provider, youngest first. An operation that no webhook told is found at the
 * next age. Providers take refunds for about half a year.
 */
export const AGES_MS: readonly number[] = [
  ...[15 * MINUTE_MS, HOUR_MS, 6 * HOUR_MS, DAY_MS, 3 * DAY_MS, 7 * DAY_MS, 14 * DAY_MS],
  ...[30 * DAY_MS, 60 * DAY_MS, 90 * DAY_MS, 120 * DAY_MS, 150 * DAY_MS, 180 * DAY_MS],
];

/** The youngest payment that was compared at an age. */
export type Place = {
  /** The creation or the change of the payment, as ISO text or `infinity`. */
  readonly at: string;
  readonly id: string;
};

/** Behind each payment of its moment. */
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Returns the place behind all payments that had the age before a moment. */
export const placeAt = (now: Date, ageMs: number): Place => ({
  at: new Date(now.getTime() - ageMs).toISOString(),
  id: LAST_ID,
});

/** Returns the places of a payment service whose sweep begins now. Older payments are compared at their next age. */
export const firstPlaces = (now: Date): readonly Place[] => AGES_MS.map((ageMs) => placeAt(now, ageMs));

/** The pause between two rounds at one payment service. */
export const ROUND_MS = 10_000;

/** The pause of a payment service after looks without an answer. The provider may be away. */
export const AWAY_MS = MINUTE_MS;

/** The looks in a row without an answer after which the provider counts as away. */
export const AWAY_AFTER = 3;

/**
 * The pauses of a payment whose provider gave no answer, after the first look, the second, and so on. No look follows the last
 * one by itself.
 */
export const TRY_AGAIN_AFTER_MS: readonly number[] = [1, 2, 5, 15, 30, 60, 120, 240].map(
  (minutes) => minutes * MINUTE_MS,
);

/** The part of the looks for payments without an answer. The others are for payments that nobody has asked about. */
const TRIES = 1 / 4;

/**
 * Returns the looks of a round for payments without an answer: a quarter, and at least one. A round with one look gives the look to
 * them in one minute of four.
 */
export function triesOfRound(looks: number, now: Date): number {
  if (looks !== 1) return Math.ceil(looks * TRIES);
  return Math.floor(now.getTime() / MINUTE_MS) % (1 / TRIES) === 0 ? 1 : 0;
}

/** Returns the most looks of one round. With few calls a minute, some rounds have none. */
export const looksOfRound = (callsPerMinute: number, roundOfMinute: number): number => {
  const rounds = MINUTE_MS / ROUND_MS;
  return (
    Math.floor((callsPerMinute * (roundOfMinute + 1)) / rounds) -
    Math.floor((callsPerMinute * roundOfMinute) / rounds)
  );
};

/** Returns the number of the round in its minute, from 0. */
export const roundOfMinute = (now: Date): number => Math.floor((now.getTime() % MINUTE_MS) / ROUND_MS);
