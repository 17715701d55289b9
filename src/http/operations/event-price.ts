import type { Budgets } from '../limits/budgets.ts';

/** An older event belongs to the past that a subscriber catches up with. */
const LIVE_MS = 10_000;

/** The characters of a payload that cost as much as one object of a query. */
const CHARACTERS_OF_ONE = 4_096;

/** The time until a subscriber that catches up looks at the budget again. */
const PAUSE_MS = 100;

type Sent = { readonly payload: string; readonly createdAt: Date };

export type Payer = {
  readonly budgets: Budgets;
  readonly merchantAccountId: string;
  /** The end of the subscription, which also ends a wait. */
  readonly signal: AbortSignal;
};

/**
 * Takes the price of an event from the budget of reads. The price is one, and one for each whole 4,096 characters of its
 * payload. A live event never waits, and takes at most what is left. An event of the past waits for the budget, so live events
 * and queries go first. Returns null for an event that does not wait.
 */
export function payFor(value: unknown, now: Date, payer: Payer): Promise<void> | null {
  if (!isEvent(value)) return null;
  const { budgets, merchantAccountId, signal } = payer;
  const price = 1 + Math.floor(value.payload.length / CHARACTERS_OF_ONE);
  if (now.getTime() - value.createdAt.getTime() <= LIVE_MS) {
    budgets.spendWhatIsLeft(merchantAccountId, price);
    return null;
  }
  const pays = (): boolean => budgets.canSpend(merchantAccountId, price);
  return pays() ? null : whenPaid(pays, signal);
}

const isEvent = (value: unknown): value is Sent =>
  typeof value === 'object' && value !== null && 'payload' in value && 'createdAt' in value;

const whenPaid = (pays: () => boolean, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setInterval(() => {
      if (!signal.aborted && !pays()) return;
      clearInterval(timer);
      resolve();
    }, PAUSE_MS);
  });
