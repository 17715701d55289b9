/** The most concurrent inquiries at a payment service that is not known to answer, over all processes. */
export const SMALLEST_SHARE = 8;

/** The time for which an answer proves that a payment service answers: the longest pause between two inquiries. */
const ANSWER_COUNTS_MS = 30_000;

/**
 * The limit of concurrent inquiries at each payment service, as this process knows the service. Additive increase, reset on
 * failure:
 *
 * - Each answer raises the limit by one. Under full load the limit doubles each round: 8, 16, 32, up to `most`.
 * - The first inquiry without an answer, or half a minute without one, resets the limit to the smallest.
 *
 * A silent provider therefore uses few slots. A recovered provider drains thousands of operations in a minute.
 */
export type Shares = {
  /** Returns the limits above the smallest, by payment service. */
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
