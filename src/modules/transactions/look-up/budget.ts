/** The most look-ups of one name at once, and the pause after which one more is allowed. */
export type Allowance = { readonly most: number; readonly everyMs: number };

/** The look-ups that names may have. */
export type Budget = {
  /** Tells whether a name may have one more look-up now. */
  allows(name: string, now: Date): boolean;
  /** Counts a look-up of a name. */
  take(name: string, now: Date): void;
};

/** The most names that a budget remembers. Each takes some hundred bytes. */
const NAMES_MAX = 10_000;

/**
 * Creates a budget in the memory of this process. A name has `most` look-ups at once, and one more after each `everyMs`. Beyond
 * `namesMax` names, the budget forgets the name that asked longest ago.
 */
export function createBudget({ most, everyMs }: Allowance, namesMax = NAMES_MAX): Budget {
  /** The moment at which a name has its whole allowance again. */
  const wholeAt = new Map<string, number>();
  const usedUntil = (name: string, now: Date): number => Math.max(wholeAt.get(name) ?? 0, now.getTime());
  return {
    allows: (name, now) => usedUntil(name, now) - now.getTime() <= (most - 1) * everyMs,
    take: (name, now) => {
      const until = usedUntil(name, now) + everyMs;
      wholeAt.delete(name);
      wholeAt.set(name, until);
      const [oldest] = wholeAt.keys();
      if (wholeAt.size > namesMax && oldest !== undefined) wholeAt.delete(oldest);
    },
  };
}
