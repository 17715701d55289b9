import { invalidInput, type InvalidInput } from './refusal.ts';
import { ok, refuse, type Result } from './result.ts';

/** The number of records of a list, counted up to a limit. */
export type Count = {
  /** At most the limit. */
  readonly count: number;
  /** False if the list has more records than the limit. */
  readonly isExact: boolean;
};

/** The largest limit of a count. */
export const COUNT_LIMIT_MAX = 10_000;

/** Checks the limit of a count: 1 to 10 000. */
export const parseCountLimit = (limit: number): Result<number, InvalidInput> =>
  limit >= 1 && limit <= COUNT_LIMIT_MAX
    ? ok(limit)
    : refuse(invalidInput(['limit'], `Must be 1 to ${COUNT_LIMIT_MAX}.`));

/** Builds a count from the number of records found, which were counted up to `limit + 1`. */
export const toCount = (found: number, limit: number): Count => ({
  count: Math.min(found, limit),
  isExact: found <= limit,
});
