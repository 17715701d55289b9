import { LRUCache } from 'lru-cache';
import type { Clock } from '../../platform/clock.ts';
import { networkOf } from '../../platform/http/network.ts';

/**
 * A limit on trying one card after another. The limit is in the memory of one process. A forgotten failure
 * allows another try, never a second payment.
 */
export type AttemptLimit = {
  /** Returns the seconds until a payment may be tried again, or null for at once. */
  wait(attempt: Attempt): number | null;
  /** Counts a failed payment, or a check of a gift card. */
  count(attempt: Attempt): void;
  /** Takes back the count of a gift card whose PIN was right. */
  forgive(attempt: Attempt): void;
};

/** `giftCard`: a keyed digest of the number of the gift card whose PIN is given. */
export type Attempt = { readonly linkId: string; readonly address: string; readonly giftCard?: string };

/** The attempts that a limit allows. */
export type AttemptsMax = { readonly link: number; readonly address: number; readonly giftCard: number };

/** The failures allowed to a buyer who mistypes. A household or an office may hold several buyers. */
export const FAILURES_MAX = { link: 10, address: 30, giftCard: 5 } as const;

export const WINDOW_MS = 15 * 60_000;

/** The number of links and addresses in memory. The least recently used are forgotten first. */
const REMEMBERED_MAX = 20_000;

type Count = { readonly endsAt: number; failures: number };

/**
 * Creates a limit of failures in a quarter of an hour, per link, per address and per gift card. The last keeps anyone
 * from trying its PINs on many links.
 * The limits are exact. Payments of one link run one after another. A gift card counts before the provider is asked,
 * and a right PIN takes the count back. An IPv6 address counts as its /64, which belongs to one customer.
 */
export function createAttemptLimit(clock: Clock, most: AttemptsMax = FAILURES_MAX): AttemptLimit {
  const counts = new LRUCache<string, Count>({ max: REMEMBERED_MAX });
  const currentOf = (key: string): Count | null => {
    const count = counts.get(key);
    return count && count.endsAt > clock.now().getTime() ? count : null;
  };
  return {
    wait: (attempt) => {
      const full = keysOf(attempt, most).flatMap(({ key, max }) => {
        const count = currentOf(key);
        return count && count.failures >= max ? [count.endsAt] : [];
      });
      return full.length === 0 ? null : Math.ceil((Math.max(...full) - clock.now().getTime()) / 1000);
    },
    count: (attempt) => {
      for (const { key } of keysOf(attempt, most)) {
        const count = currentOf(key) ?? { endsAt: clock.now().getTime() + WINDOW_MS, failures: 0 };
        count.failures += 1;
        counts.set(key, count);
      }
    },
    forgive: (attempt) => {
      for (const { key } of keysOf(attempt, most)) {
        const count = currentOf(key);
        if (count && count.failures > 0) count.failures -= 1;
      }
    },
  };
}

const keysOf = ({ linkId, address, giftCard }: Attempt, most: AttemptsMax) => [
  { key: `link ${linkId}`, max: most.link },
  { key: `address ${networkOf(address)}`, max: most.address },
  ...(giftCard === undefined ? [] : [{ key: `gift card ${giftCard}`, max: most.giftCard }]),
];
