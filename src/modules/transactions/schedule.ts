/** First look after an ambiguous answer comes within this time. */
const FIRST_MS = 2_000;
/** And never less often than this. */
const LONGEST_MS = 60 * 60_000;

/** When a pending operation is taken up again after so many attempts: 2 s, 4 s, 8 s and so on up to an hour. */
export const nextAttemptAt = (now: Date, attempts: number): Date =>
  new Date(now.getTime() + Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 20), LONGEST_MS));

/** Beyond the provider's deadline, for the settle that follows it. */
const SETTLE_MS = 5_000;

/** Until when the caller of a provider owns an operation. */
export const leaseUntil = (now: Date, deadlineMs: number): Date =>
  new Date(now.getTime() + deadlineMs + SETTLE_MS);
