import type { App } from '../../../app.ts';

/** First look after an ambiguous answer. */
const FIRST_MS = 2_000;

/**
 * And due no less often than this, so that a provider's recovery is noticed within a minute, however long it was away. A
 * provider that is away is not flooded: its payment services have the smallest shares (shares.ts) of what is looked at.
 */
const LONGEST_MS = 30_000;

/** After so long a person has to resolve it. */
const GIVE_UP_MS = 7 * 24 * 3_600_000;

/**
 * When an operation of unknown outcome is due again: after 2 s, 4 s, 8 s, 16 s, then every 30 s for 7 days. While more are due
 * at a payment service than its share, they take turns. Null after 7 days: it stays pending, its reservation held, until a
 * webhook or a person resolves it.
 */
export function nextAttemptAt(now: Date, { attempts, createdAt }: Asked): Date | null {
  if (now.getTime() - createdAt.getTime() >= GIVE_UP_MS) return null;
  return new Date(now.getTime() + Math.min(FIRST_MS * 2 ** Math.min(attempts - 1, 10), LONGEST_MS));
}

type Asked = { readonly attempts: number; readonly createdAt: Date };

/** How often the provider is asked about what it took on, by how long ago that was; a webhook is expected to be faster. */
const DECISION_PACES = [
  { youngerThanMs: 3_600_000, paceMs: 60_000 },
  { youngerThanMs: 24 * 3_600_000, paceMs: 15 * 60_000 },
] as const;
const DECISION_PACE_MS = 6 * 3_600_000;

/** When the provider is asked what it decided: every minute for an hour, every 15 minutes for a day, then every 6 hours. */
export function nextDecisionAt(now: Date, acceptedAt: Date): Date {
  const ageMs = now.getTime() - acceptedAt.getTime();
  const pace = DECISION_PACES.find(({ youngerThanMs }) => ageMs < youngerThanMs);
  return new Date(now.getTime() + (pace?.paceMs ?? DECISION_PACE_MS));
}

/** Beyond the provider's deadline, for the settle that follows it. */
const SETTLE_MS = 5_000;

/** For how long the caller of a provider owns an operation. One that died with it is first looked at after that. */
export const leaseMsOf = (deadlineMs: number): number => deadlineMs + SETTLE_MS;

/** Until when the caller of a provider owns an operation. `deadlineMs`: of the call. */
export const leaseUntil = (now: Date, deadlineMs: number): Date =>
  new Date(now.getTime() + leaseMsOf(deadlineMs));

/** The same with the deadline that this process is configured with. */
export const leaseOf = ({ config }: Pick<App, 'config'>, now: Date): Date =>
  leaseUntil(now, config.PAYGRAPH_PROVIDER_DEADLINE_MS);
