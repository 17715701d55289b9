import { refuse } from './refusal.ts';

/** The time for which Stripe keeps the first answer of a key. */
const KEPT_MS = 24 * 3_600_000;
const KEY_LENGTH_MAX = 255;

/** An answer as it is kept for repeats. */
export type KeptAnswer = { readonly status: number; readonly body: string; readonly requestId: string };

type Entry = {
  readonly endpoint: string;
  readonly parameters: string;
  readonly sinceMs: number;
  answer: KeptAnswer | null;
};

/** The idempotency keys of an account. */
export type Keys = {
  /**
   * Begins a request, or returns the answer of an earlier request. Refuses a key in use, and a key of another request.
   */
  begin(key: string, request: { readonly endpoint: string; readonly parameters: string }): KeptAnswer | null;
  keep(key: string, answer: KeptAnswer): void;
  /** Forgets a request whose result Stripe does not keep. */
  forget(key: string): void;
};

export function createKeys(now: () => Date): Keys {
  const entries = new Map<string, Entry>();
  const find = (key: string): Entry | undefined => {
    const entry = entries.get(key);
    return entry && now().getTime() < entry.sinceMs + KEPT_MS ? entry : undefined;
  };
  return {
    begin: (key, { endpoint, parameters }) => {
      if (key.length > KEY_LENGTH_MAX)
        refuse({
          ...{ status: 400, type: 'invalid_request_error' },
          message: `Idempotency keys must be at most ${KEY_LENGTH_MAX} characters long.`,
        });
      const entry = find(key);
      if (!entry) {
        entries.set(key, { endpoint, parameters, sinceMs: now().getTime(), answer: null });
        return null;
      }
      if (entry.endpoint !== endpoint) refuseOther(`for the endpoint '${entry.endpoint}'`, key);
      if (entry.parameters !== parameters) refuseOther('with the parameters of their first request', key);
      return entry.answer ?? refuseInUse();
    },
    keep: (key, answer) => {
      const entry = entries.get(key);
      if (entry) entry.answer = answer;
    },
    forget: (key) => void entries.delete(key),
  };
}

const refuseOther = (use: string, key: string): never =>
  refuse({
    ...{ status: 400, type: 'idempotency_error' },
    message: `Keys for idempotent requests can only be used ${use}. Try another key than '${key}' for another request.`,
  });

const refuseInUse = (): never =>
  refuse({
    ...{ status: 409, type: 'idempotency_error', code: 'idempotency_key_in_use' },
    message: 'There is currently another in-progress request using this idempotent key.',
  });
