import { unwritten } from '../connector/unwritten.ts';
import {
  listenOn,
  openLine,
  type DoubleLine,
  type DoubleRequest,
  type DoubleResponse,
  type DoubleServer,
  type DoubleWebhook,
  type FaultWords,
} from '../../../double-server.ts';

/**
 * A double of the provider, in memory. Somebody other than the connector's author writes the double, from the provider's
 * documentation and never from the connector. The double:
 *
 * - Refuses each request that the provider refuses: an unknown field, a wrong type, a fraction as an amount.
 * - Keeps the sums: captures within the authorised sum, refunds within the captured sum.
 * - Repeats the first answer under the same key as the documentation says, and forgets after the provider's time.
 */
export type SkeletonDouble = DoubleLine & {
  /** The keys of the decided requests, in order. */
  done(): readonly string[];
  /** Takes the webhooks that the provider owes, oldest first. */
  webhooks(): readonly DoubleWebhook[];
  listen(): Promise<DoubleServer>;
};

export function createSkeletonDouble(): SkeletonDouble {
  const keys = createKeys();
  const line = openLine({
    handle: (request) => keys.answer(request, () => perform(request)),
    hold: (request) => keys.hold(request),
    words: FAULT_WORDS,
  });
  return {
    ...line,
    done: () => keys.done(),
    webhooks: () =>
      unwritten('webhooks in double.ts', 'a signed webhook for each decision since the last call', keys),
    listen: () => listenOn(line),
  };
}

/** Does the work of a request whose key is new. */
const perform = (request: DoubleRequest): DoubleResponse =>
  unwritten('perform in double.ts', "the provider's checks, its books and its answers", request);

/** The answer while the first request of a key still runs. */
const stillRunning = (): DoubleResponse => json(409, { code: 'still_running' });

/** The faults in the provider's words. Read in its documentation whether it keeps a server error under the key. */
const FAULT_WORDS: FaultWords = {
  serverError: () => json(500, { code: 'internal' }),
  rateLimited: (seconds) => ({
    ...json(429, { code: 'rate_limited' }),
    headers: seconds === null ? {} : { 'retry-after': String(seconds) },
  }),
  unauthorized: () => json(401, { code: 'unauthorized' }),
  forbidden: () => json(403, { code: 'forbidden' }),
  unknownWord: (response) =>
    unwritten('unknownWord in double.ts', 'an answer with an unknown status', response),
  otherAmount: (response) => unwritten('otherAmount in double.ts', 'an answer with another amount', response),
  otherCurrency: (response) =>
    unwritten('otherCurrency in double.ts', 'an answer in another currency', response),
};

const json = (status: number, body: object): DoubleResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** Keeps the first answer of each key. A request without a key is always answered anew. */
function createKeys() {
  const answers = new Map<string, DoubleResponse>();
  const running = new Set<string>();
  const keyOf = ({ headers }: DoubleRequest): string | undefined => headers['idempotency-key'];
  return {
    answer: (request: DoubleRequest, work: () => DoubleResponse): DoubleResponse => {
      const key = keyOf(request);
      if (key === undefined) return work();
      if (running.has(key)) return stillRunning();
      const response = answers.get(key) ?? work();
      answers.set(key, response);
      return response;
    },
    hold: (request: DoubleRequest) => {
      const key = keyOf(request) ?? '';
      running.add(key);
      return () => void running.delete(key);
    },
    done: (): readonly string[] => [...answers.keys()],
  };
}
