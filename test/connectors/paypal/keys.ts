import { createKeyBook } from '../kit/keys.ts';
import { refuse } from './refusal.ts';
import { DAY_MS, HOUR_MS } from './world.ts';

const KEY_LENGTH_MAX = 108;

/** The work of a request, which can be shown again as it is now. */
export type Done = {
  readonly show: (as: { readonly isRepeat: boolean; readonly isWhole: boolean }) => Shown;
};

export type Shown = { readonly status: number; readonly body: object | null };

export type Keys = ReturnType<typeof createKeys>;

/** The request ids of an account. PayPal keeps the ids of orders for hours, and those of payments for weeks. */
export function createKeys(now: () => Date) {
  const book = createKeyBook<null, Done>(now);
  return {
    ...book,
    /** Begins a request, or returns the work of an earlier one. Refuses an id that is in use. */
    begin: (scope: string, key: string): Done | null => {
      if (key.length < 1 || key.length > KEY_LENGTH_MAX)
        refuse({
          ...{ status: 400, name: 'INVALID_REQUEST', issue: 'INVALID_STRING_LENGTH' },
          field: 'PayPal-Request-Id',
        });
      const lifeMs = scope.includes('/v2/payments/') ? 45 * DAY_MS : 6 * HOUR_MS;
      const earlier = book.begin(nameOf(scope, key), null, lifeMs);
      if (!earlier) return null;
      const inUse = { status: 409, name: 'RESOURCE_CONFLICT', issue: 'PREVIOUS_REQUEST_IN_PROGRESS' };
      return earlier.answer ?? refuse(inUse);
    },
    keep: (scope: string, key: string, done: Done): void => book.keep(nameOf(scope, key), done),
    forget: (scope: string, key: string): void => book.forget(nameOf(scope, key)),
  };
}

const nameOf = (scope: string, key: string): string => `${scope} ${key}`;
