/** The time after which an unmatched webhook expires. */
export const RETENTION_MS = 7 * 24 * 3_600_000;

export const FIRST_MS = 1_000;

export const LONGEST_MS = 3_600_000;

/**
 * The time in which the outcome of an operation may still come. A provider may send a success and its reversal in any
 * order.
 */
const PATIENCE_MS = 3_600_000;

/** True while an outcome under way may still explain a report that waits since a moment. */
export const isEarly = (now: Date, since: Date): boolean => now.getTime() - since.getTime() < PATIENCE_MS;

/** True when a webhook has waited for the full time without a match. */
export const isOver = (now: Date, since: Date): boolean => now.getTime() >= endOf(since);

/**
 * Returns the moment of the next match. Each pause is as long as the wait so far, between 1 s and an hour, and ends
 * with expiry.
 */
export function nextMatchAt(now: Date, since: Date): Date {
  const waitedMs = now.getTime() - since.getTime();
  const pauseMs = Math.min(Math.max(waitedMs, FIRST_MS), LONGEST_MS);
  return new Date(Math.min(now.getTime() + pauseMs, Math.max(endOf(since), now.getTime())));
}

export const endOf = (since: Date): number => since.getTime() + RETENTION_MS;

/**
 * Returns the next attempt of a webhook that waits for its turn. Another process waits for the provider's answer, which comes
 * within seconds, or an older webhook of the operation goes first.
 */
export const whenFree = (now: Date): Date => new Date(now.getTime() + FIRST_MS);

/**
 * The time for which a webhook keeps its turn. Later webhooks of the same operation wait behind it. Two processes that die
 * one after the other take less: two pauses and two leases. A webhook that fails each time delays others no longer.
 */
export const TURN_MS = 30_000;

/** Returns the end of the turn of a webhook that gets its turn, or keeps it, now. */
export const turnUntil = (now: Date): Date => new Date(now.getTime() + TURN_MS);

/** The lease of a claimed webhook. After a crash, another process claims the webhook at its end. */
export const LEASE_MS = 10_000;

/** Returns the end of the lease of a webhook that is claimed now. */
export const applyLeaseUntil = (now: Date): Date => new Date(now.getTime() + LEASE_MS);
