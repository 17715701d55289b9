/** The most concurrent inquiries at a payment service that is not known to answer, over all processes. */
export const SMALLEST_LIMIT = 8;

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
export type ConcurrencyLimits = {
  /** Returns the limits above the smallest, by payment service. */
  grown(now: Date): ReadonlyMap<string, number>;
  answered(paymentServiceId: string, now: Date): void;
  unanswered(paymentServiceId: string): void;
};

type Answers = { readonly limit: number; readonly at: number };

export function createConcurrencyLimits(most: number): ConcurrencyLimits {
  const services = new Map<string, Answers>();
  const forget = (before: number): void => {
    for (const [id, { at }] of services) if (at < before) services.delete(id);
  };
  return {
    grown: (now) => {
      forget(now.getTime() - ANSWER_COUNTS_MS);
      return new Map([...services].map(([id, { limit }]) => [id, limit]));
    },
    answered: (id, now) => {
      const { limit } = services.get(id) ?? { limit: SMALLEST_LIMIT };
      services.set(id, { limit: Math.min(most, limit + 1), at: now.getTime() });
    },
    unanswered: (id) => void services.delete(id),
  };
}
