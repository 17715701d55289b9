import { PAUSE_MAX_MS } from './endpoint-health.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** The time after an event reaches the feed in which its delivery is tried. */
export const DELIVERY_WINDOW_MS = 168 * HOUR;

/** The number of retries in that window when every retry is on time and fails. */
export const RETRY_MAX = 28;

/** The delays before the first retries: short at first for a restart, soon long for an outage. */
const FIRST_DELAYS_MS = [5, 15, 45, 135, 405, 1_200, 3_600, 10_800].map((seconds) => seconds * SECOND);

/** The delay before every later retry. */
const LATER_DELAY_MS = 8 * HOUR;

/** The fraction of the delay by which a retry may be early or late. It spreads the retries of an endpoint. */
const JITTER = 0.1;

/** The longest pause that Retry-After can request. */
const RETRY_AFTER_MAX_MS = LATER_DELAY_MS;

/** A failed attempt. */
export type Failure = {
  /** The start of the delivery's window: its creation or last replay. */
  readonly windowStart: Date;
  readonly failedAt: Date;
  /** The next retry: 1 after the first attempt. */
  readonly retry: number;
  /** The pause that Retry-After requests. */
  readonly retryAfterMs: number | null;
  /** A random number from 0 to 1. */
  readonly chance: number;
};

/** Returns the delay before a retry. The first retry is 1. */
export const delayBefore = (retry: number): number => FIRST_DELAYS_MS[retry - 1] ?? LATER_DELAY_MS;

/**
 * Returns the time from the start of the window to a retry, if all earlier retries were on time. The last retry is at
 * the very end.
 */
export function dueAfter(retry: number): number {
  if (retry >= RETRY_MAX) return DELIVERY_WINDOW_MS;
  const quick = FIRST_DELAYS_MS.slice(0, retry).reduce((sum, delay) => sum + delay, 0);
  return quick + Math.max(0, retry - FIRST_DELAYS_MS.length) * LATER_DELAY_MS;
}

/**
 * Returns the moment of the next attempt, or null when the window is over.
 *
 * Each retry has a fixed place in the window. Jitter therefore does not add up, and the last retry is exactly at the
 * end. A late retry, after a backlog or a slow receiver, still waits the full delay after the failure. The end of the
 * window decides when to give up, not the count.
 */
export function nextAttemptAt({ windowStart, failedAt, retry, retryAfterMs, chance }: Failure): Date | null {
  const end = windowStart.getTime() + DELIVERY_WINDOW_MS;
  if (failedAt.getTime() >= end) return null;
  if (retry >= RETRY_MAX) return new Date(end);
  const delay = delayBefore(retry);
  const inPlace = windowStart.getTime() + dueAfter(retry) + delay * JITTER * (2 * chance - 1);
  const afterPause = failedAt.getTime() + delay * (1 - JITTER * chance);
  const requested = failedAt.getTime() + Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  return new Date(Math.min(end, Math.round(Math.max(inPlace, afterPause, requested))));
}

/**
 * Returns the moment before which a failed probe's delivery is not probed again. Null when the window is over. The
 * moment is beyond the longest pause of an endpoint, so that older and newer deliveries are tried first. One event that
 * is never accepted must not be every probe.
 */
export function probedAgainAt({
  windowStart,
  failedAt,
  retryAfterMs,
}: Omit<Failure, 'retry' | 'chance'>): Date | null {
  const end = windowStart.getTime() + DELIVERY_WINDOW_MS;
  if (failedAt.getTime() >= end) return null;
  const pause = Math.max(PAUSE_MAX_MS, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
  return new Date(Math.min(end, failedAt.getTime() + pause));
}

/** Returns the pause in a Retry-After header, in seconds or as a date. Null for any other text. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  // Date.parse accepts almost any text. An HTTP date begins with its day.
  const until = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(until) ? null : Math.max(0, until - now.getTime());
}
