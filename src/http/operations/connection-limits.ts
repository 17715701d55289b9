/** A limit on the number of sockets or subscriptions of one owner, in this process. */
export type ConnectionLimit = {
  /** Counts one more and returns the function that frees the place. Null if the owner is at the limit. */
  take(owner: string): (() => void) | null;
};

export function createConnectionLimit(perOwner: number): ConnectionLimit {
  const taken = new Map<string, number>();
  return {
    take: (owner) => {
      const before = taken.get(owner) ?? 0;
      if (before >= perOwner) return null;
      taken.set(owner, before + 1);
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        const left = (taken.get(owner) ?? 1) - 1;
        if (left === 0) taken.delete(owner);
        else taken.set(owner, left);
      };
    },
  };
}

/** The limits of each merchant account in this process. */
export type ConnectionLimits = {
  /** Sockets of callers. */
  readonly sockets: ConnectionLimit;
  /** Sockets of a router. A router may open a socket for each subscription. */
  readonly routerSockets: ConnectionLimit;
  /** Subscriptions over sockets and event streams together. */
  readonly subscriptions: ConnectionLimit;
};

export const createConnectionLimits = (): ConnectionLimits => ({
  sockets: createConnectionLimit(SOCKETS_PER_MERCHANT_ACCOUNT),
  routerSockets: createConnectionLimit(SUBSCRIPTIONS_PER_MERCHANT_ACCOUNT),
  subscriptions: createConnectionLimit(SUBSCRIPTIONS_PER_MERCHANT_ACCOUNT),
});

/** The sockets of a merchant account's dashboards and workers. One socket carries many subscriptions. */
const SOCKETS_PER_MERCHANT_ACCOUNT = 50;

/** An idle subscription holds some kilobytes. Each event of the merchant account is computed once per subscription. */
const SUBSCRIPTIONS_PER_MERCHANT_ACCOUNT = 1_000;
