import { createKeyBook } from '../kit/keys.ts';
import { refuse } from './refusal.ts';

/** The time for which Stripe keeps the first answer of a key. */
const KEPT_MS = 24 * 3_600_000;
const KEY_LENGTH_MAX = 255;

/** An answer as it is kept for repeats. */
export type KeptAnswer = { readonly status: number; readonly body: string; readonly requestId: string };

/** The parameters of a request, as a repeat has to give them. */
type Request = { readonly endpoint: string; readonly parameters: string };

export type Keys = ReturnType<typeof createKeys>;

/** The idempotency keys of an account. */
export function createKeys(now: () => Date) {
  const book = createKeyBook<Request, KeptAnswer>(now);
  return {
    ...book,
    /** Begins a request, or returns the answer of an earlier one. Refuses a key in use, and a key of another request. */
    begin: (key: string, request: Request): KeptAnswer | null => {
      if (key.length > KEY_LENGTH_MAX)
        refuse({
          ...{ status: 400, type: 'invalid_request_error' },
          message: `Idempotency keys must be at most ${KEY_LENGTH_MAX} characters long.`,
        });
      const earlier = book.begin(key, request, KEPT_MS);
      if (!earlier) return null;
      const { endpoint, parameters } = earlier.request;
      if (endpoint !== request.endpoint) refuseOther(`for the endpoint '${endpoint}'`, key);
      if (parameters !== request.parameters) refuseOther('with the parameters of their first request', key);
      return earlier.answer ?? refuseInUse();
    },
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
