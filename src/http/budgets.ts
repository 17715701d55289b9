import { RATE_LIMITED_MESSAGE } from '../graph/errors.ts';
import type { Config } from '../platform/config.ts';
import { createBucket } from './bucket.ts';
import type { Refused } from './replies.ts';

/** The budgets of each merchant account in this process: requests, and the work of reads. */
export type Budgets = {
  /** Counts a request. Returns the seconds to wait when the budget is used up, and null otherwise. */
  countRequest(merchantAccountId: string): number | null;
  /** Takes work from the budget. Returns the seconds to wait when too little is left, and null otherwise. */
  spend(merchantAccountId: string, work: number): number | null;
  /** Takes at most what is left of the budget. */
  spendWhatIsLeft(merchantAccountId: string, work: number): void;
  /** The headers `RateLimit` and `RateLimit-Policy` of an answer. Empty without a limit. */
  headersOf(merchantAccountId: string): Readonly<Record<string, string>>;
};

type BudgetSettings = Pick<Config, 'PAYGRAPH_REQUESTS_PER_SECOND' | 'PAYGRAPH_COST_PER_SECOND'>;

export function createBudgets(config: BudgetSettings, nowMs = () => performance.now()): Budgets {
  const requests = createBucket('requests', config.PAYGRAPH_REQUESTS_PER_SECOND, nowMs);
  const cost = createBucket('cost', config.PAYGRAPH_COST_PER_SECOND, nowMs);
  const limited = [requests, cost].filter((each) => each !== null);
  return {
    countRequest: (owner) => requests?.take(owner, 1) ?? null,
    spend: (owner, work) => (work === 0 ? null : (cost?.take(owner, work) ?? null)),
    spendWhatIsLeft: (owner, work) => cost?.takeWhatIsLeft(owner, work),
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
