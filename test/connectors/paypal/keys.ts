import { refuse } from './refusal.ts';
import { DAY_MS, HOUR_MS } from './world.ts';

const KEY_LENGTH_MAX = 108;

/** The work of a request, which can be shown again as it is now. */
export type Done = {
  readonly show: (as: { readonly isRepeat: boolean; readonly isWhole: boolean }) => Shown;
};

export type Shown = { readonly status: number; readonly body: object | null };

type Entry = { readonly untilMs: number; done: Done | null };

/** The request ids of an account. PayPal keeps the ids of orders for hours, and those of payments for weeks. */
export type Keys = {
  /** Begins a request, or returns the work of an earlier request. Refuses an id that is in use. */
  begin(scope: string, key: string): Done | null;
  keep(scope: string, key: string, done: Done): void;
  /** Forgets a request that was refused. */
  forget(scope: string, key: string): void;
};

export function createKeys(now: () => Date): Keys {
  const entries = new Map<string, Entry>();
  const nameOf = (scope: string, key: string): string => `${scope} ${key}`;
  return {
    begin: (scope, key) => {
      if (key.length < 1 || key.length > KEY_LENGTH_MAX)
        refuse({
          ...{ status: 400, name: 'INVALID_REQUEST', issue: 'INVALID_STRING_LENGTH' },
          field: 'PayPal-Request-Id',
        });
      const entry = entries.get(nameOf(scope, key));
      if (!entry || now().getTime() >= entry.untilMs) {
        const untilMs = now().getTime() + (scope.includes('/v2/payments/') ? 45 * DAY_MS : 6 * HOUR_MS);
        entries.set(nameOf(scope, key), { untilMs, done: null });
        return null;
      }
      return (
        entry.done ??
        refuse({ status: 409, name: 'RESOURCE_CONFLICT', issue: 'PREVIOUS_REQUEST_IN_PROGRESS' })
      );
    },
    keep: (scope, key, done) => {
      const entry = entries.get(nameOf(scope, key));
      if (entry) entry.done = done;
    },
    forget: (scope, key) => void entries.delete(nameOf(scope, key)),
  };
}
