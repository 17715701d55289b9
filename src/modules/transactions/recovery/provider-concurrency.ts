/** Looks under way at one payment service, over all processes, while it is not known to answer. */
export const SMALLEST_SHARE = 8;

/** For so long an answer says that a payment service answers: the longest pause between two looks at an operation. */
const ANSWER_COUNTS_MS = 30_000;

/**
 * How many looks may be under way at each payment service, as this process has heard of it. Each answer makes its share one
 * larger, which doubles it while as many are asked as may be: 8, 16, 32, up to `most`; the first look without an answer, or
 * half a minute in which nothing was heard, makes it the smallest again. So one that is silent takes little from the others,
 * and one that is back is asked about thousands within a minute.
 */
export type Shares = {
  /** The shares that are larger than the smallest, by payment service. */
  grown(now: Date): ReadonlyMap<string, number>;
  answered(paymentServiceId: string, now: Date): void;
  unanswered(paymentServiceId: string): void;
};

type Heard = { readonly share: number; readonly at: number };

export function createShares(most: number): Shares {
  const heard = new Map<string, Heard>();
  const forget = (before: number): void => {
    for (const [id, { at }] of heard) if (at < before) heard.delete(id);
  };
  return {
    grown: (now) => {
      forget(now.getTime() - ANSWER_COUNTS_MS);
      return new Map([...heard].map(([id, { share }]) => [id, share]));
    },
    answered: (id, now) => {
      const { share } = heard.get(id) ?? { share: SMALLEST_SHARE };
      heard.set(id, { share: Math.min(most, share + 1), at: now.getTime() });
    },
    unanswered: (id) => void heard.delete(id),
  };
}
