import { LRUCache } from 'lru-cache';

/** A budget of each owner that refills with time. */
export type Bucket = {
  /** The policy in the form of the IETF draft: the name, the quota and the window in seconds. */
  readonly policy: string;
  /** Takes an amount. Returns the seconds to wait when too little is left, and null otherwise. */
  take(owner: string, amount: number): number | null;
  /** Takes an amount, or the rest if less is left. */
  takeWhatIsLeft(owner: string, amount: number): void;
  /** Returns the seconds until `take` gives one, and null if it does now. Takes nothing. */
  wait(owner: string): number | null;
  /** The rest in the form of the IETF draft, with the seconds until the budget is whole again. */
  state(owner: string): string;
};

/** The seconds of budget that an idle owner saves up. */
const BURST_SECONDS = 4;

/** Owners that a process remembers. A forgotten owner starts with a full budget. */
const OWNERS_MAX = 10_000;

/** Creates a token bucket. Null without a limit. */
export function createBucket(
  name: string,
  perSecond: number | null,
  nowMs: () => number,
  burstSeconds = BURST_SECONDS,
): Bucket | null {
  if (perSecond === null) return null;
  const capacity = perSecond * burstSeconds;
  const owners = new LRUCache<string, { left: number; atMs: number }>({ max: OWNERS_MAX });
  const refilled = (owner: string): { left: number; atMs: number } => {
    const atMs = nowMs();
    const known = owners.get(owner);
    if (!known) {
      const full = { left: capacity, atMs };
      owners.set(owner, full);
      return full;
    }
    known.left = Math.min(capacity, known.left + ((atMs - known.atMs) / 1_000) * perSecond);
    known.atMs = atMs;
    return known;
  };
  const secondsFor = (missing: number): number => Math.max(1, Math.ceil(missing / perSecond));
  return {
    policy: `"${name}";q=${capacity};w=${burstSeconds}`,
    take: (owner, amount) => {
      const bucket = refilled(owner);
      // More than the whole budget would never pass. A full budget pays for anything.
      const price = Math.min(amount, capacity);
      if (bucket.left < price) return secondsFor(price - bucket.left);
      bucket.left -= price;
      return null;
    },
    takeWhatIsLeft: (owner, amount) => {
      const bucket = refilled(owner);
      bucket.left = Math.max(0, bucket.left - amount);
    },
    wait: (owner) => {
      if (!owners.has(owner)) return null;
      const { left } = refilled(owner);
      return left < 1 ? secondsFor(1 - left) : null;
    },
    state: (owner) => {
      const { left } = refilled(owner);
      return `"${name}";r=${Math.floor(left)};t=${left >= capacity ? 0 : secondsFor(capacity - left)}`;
    },
  };
}
