import { PAUSE_MAX_MS } from './endpoint-health.ts';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

/** A delivery is tried for so long after its event reached the feed. */
export const DELIVERY_WINDOW_MS = 168 * HOUR;

/** Retries within that window, when every one of them is made on time and fails. */
export const RETRY_MAX = 28;

/** Pauses before the first retries: quick at first for a restart, slow soon for an outage. */
const FIRST_DELAYS_MS = [5, 15, 45, 135, 405, 1_200, 3_600, 10_800].map((seconds) => seconds * SECOND);

/** Pause before every later retry. */
const LATER_DELAY_MS = 8 * HOUR;

/** Share of the pause by which a retry may be early or late, so that endpoints do not get all their retries at once. */
const JITTER = 0.1;

/** The longest time that a receiver can ask for with Retry-After. */
const RETRY_AFTER_MAX_MS = LATER_DELAY_MS;

/** A failed attempt. */
export type Failure = {
  /** When the delivery was made. */
  readonly createdAt: Date;
  readonly failedAt: Date;
  /** The next retry: 1 after the first attempt. */
  readonly retry: number;
  /** What the receiver asked for with Retry-After. */
  readonly retryAfterMs: number | null;
  /** 0 to 1. */
  readonly chance: number;
};

/** Pause before a retry, 1 being the first. */
export const delayBefore = (retry: number): number => FIRST_DELAYS_MS[retry - 1] ?? LATER_DELAY_MS;

/** When a retry is due after the delivery was made, if all before it were on time. The last one is at the very end. */
export function dueAfter(retry: number): number {
  if (retry >= RETRY_MAX) return DELIVERY_WINDOW_MS;
  const quick = FIRST_DELAYS_MS.slice(0, retry).reduce((sum, delay) => sum + delay, 0);
  return quick + Math.max(0, retry - FIRST_DELAYS_MS.length) * LATER_DELAY_MS;
}

/**
 * When to try again; null when the window is over. Each retry has its place in the window, so that jitter does not add
 * up and the last one comes at its end exactly; one that is late, because of a backlog or a slow receiver, still keeps
 * the pause since the failure. The window decides when to give up, not the count.
 */
export function nextAttemptAt({ createdAt, failedAt, retry, retryAfterMs, chance }: Failure): Date | null {
  const end = createdAt.getTime() + DELIVERY_WINDOW_MS;
  if (failedAt.getTime() >= end) return null;
  if (retry >= RETRY_MAX) return new Date(end);
  const delay = delayBefore(retry);
  const inPlace = createdAt.getTime() + dueAfter(retry) + delay * JITTER * (2 * chance - 1);
  const afterPause = failedAt.getTime() + delay * (1 - JITTER * chance);
  const asked = failedAt.getTime() + Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS);
  return new Date(Math.min(end, Math.round(Math.max(inPlace, afterPause, asked))));
}

/**
 * Before when a delivery that was a probe and failed is not the next one; null when the window is over. Beyond the longest
 * pause of an endpoint, so that what has waited since before, or came since, is tried first: one event that is never
 * taken must not be every probe.
 */
export function probedAgainAt({
  createdAt,
  failedAt,
  retryAfterMs,
}: Omit<Failure, 'retry' | 'chance'>): Date | null {
  const end = createdAt.getTime() + DELIVERY_WINDOW_MS;
  if (failedAt.getTime() >= end) return null;
  const pause = Math.max(PAUSE_MAX_MS, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS));
  return new Date(Math.min(end, failedAt.getTime() + pause));
}

/** The pause in a Retry-After header, in seconds or as a date; null when it is neither. */
export function parseRetryAfter(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND;
  // Date.parse reads a meaning into almost anything; a date of HTTP begins with its day.
  const until = /^[A-Z][a-z]{2,8}, /.test(header) ? Date.parse(header) : NaN;
  return Number.isNaN(until) ? null : Math.max(0, until - now.getTime());
}
