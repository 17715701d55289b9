import { RATE_LIMITED_MESSAGE } from '../../graph/errors.ts';
import type { Config } from '../../platform/process/config.ts';
import { createBucket, type Bucket } from './bucket.ts';
import type { Load } from './load.ts';
import type { Refused } from '../answers/replies.ts';

/** The budgets of each merchant account in this process: requests, and the work of reads. */
export type Budgets = {
  /**
   * Counts a request. Returns the seconds to wait when the budget is used up, or while older work of the account is late.
   * Returns null otherwise.
   */
  countRequest(merchantAccountId: string): number | null;
  /**
   * Takes the work of a read from the budget. Returns the seconds to wait when too little is left, or while older reads of the account
   * are late. Returns null otherwise.
   */
  spend(merchantAccountId: string, work: number): number | null;
  /** Takes the work of a read that was accepted before. Returns false when too little is left, or while older reads are late. */
  canSpend(merchantAccountId: string, work: number): boolean;
  /** Takes at most what is left of the budget. */
  spendWhatIsLeft(merchantAccountId: string, work: number): void;
  /** The requests and the work that passed since the start. */
  readonly spent: Readonly<Record<'requests' | 'cost', number>>;
  /** The refusals since the start. `load` counts those for earlier work that waits. */
  readonly refusals: Readonly<Record<'budget' | 'load', number>>;
  /** The headers `RateLimit` and `RateLimit-Policy` of an answer. Empty without a limit. */
  headersOf(merchantAccountId: string): Readonly<Record<string, string>>;
};

type BudgetSettings = Pick<Config, 'PAYGRAPH_REQUESTS_PER_SECOND' | 'PAYGRAPH_COST_PER_SECOND'>;

/** The pause of a caller whose earlier work waits, in seconds. */
const BEHIND_SECONDS = 1;

export function createBudgets(config: BudgetSettings, load: Load, nowMs = () => performance.now()): Budgets {
  const requests = createBucket('requests', config.PAYGRAPH_REQUESTS_PER_SECOND, nowMs);
  const cost = createBucket('cost', config.PAYGRAPH_COST_PER_SECOND, nowMs);
  const limited = [requests, cost].filter((each) => each !== null);
  const refusals = { budget: 0, load: 0 };
  const spent = { requests: 0, cost: 0 };
  const refuse = (reason: keyof typeof refusals, waitSeconds: number): number => {
    refusals[reason] += 1;
    return waitSeconds;
  };
  const take = (bucket: Bucket | null, owner: string, amount: number): number | null => {
    const waitSeconds = bucket?.take(owner, amount) ?? null;
    return waitSeconds === null ? null : refuse('budget', waitSeconds);
  };
  const count = (waitSeconds: number | null, budget: keyof typeof spent, amount: number): number | null => {
    if (waitSeconds === null) spent[budget] += amount;
    return waitSeconds;
  };
  return {
    countRequest: (owner) => {
      const waitSeconds =
        take(requests, owner, 1) ?? (load.isBehind(owner) ? refuse('load', BEHIND_SECONDS) : null);
      return count(waitSeconds, 'requests', 1);
    },
    spend: (owner, work) => {
      if (work === 0) return null;
      if (load.readsAreBehind(owner)) return refuse('load', BEHIND_SECONDS);
      return count(take(cost, owner, work), 'cost', work);
    },
    canSpend: (owner, work) =>
      !load.readsAreBehind(owner) && count(cost?.take(owner, work) ?? null, 'cost', work) === null,
    refusals,
    spent,
    spendWhatIsLeft: (owner, work) => {
      count(null, 'cost', work);
      cost?.takeWhatIsLeft(owner, work);
    },
    headersOf: (owner) =>
      limited.length === 0
        ? {}
        : {
            ratelimit: limited.map((each) => each.state(owner)).join(', '),
            'ratelimit-policy': limited.map((each) => each.policy).join(', '),
          },
  };
}

/** The refusal of a request before its body is read. */
export const rateLimited = (retryAfterSeconds: number): Refused =>
  tooMany(RATE_LIMITED_MESSAGE, retryAfterSeconds);

/** The refusal of a caller who sends too much. */
export const tooMany = (message: string, retryAfterSeconds: number): Refused => ({
  status: 429,
  code: 'RATE_LIMITED',
  message,
  extensions: { retryAfterSeconds },
  headers: { 'retry-after': String(retryAfterSeconds) },
});
