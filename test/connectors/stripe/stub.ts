import { afterEach } from '@jest/globals';
import type { CallContext, Credentials } from '../../../src/connectors/interface/call-context.ts';
import { createStripe } from '../../../src/connectors/stripe/index.ts';
import { stripeDefinitions } from '../../../src/connectors/stripe/model/definitions.ts';
import { noTokens } from '../../support/no-tokens.ts';
import type { DoubleRequest } from '../double-server.ts';
import { openPrepared, type Prepared } from '../kit/prepared.ts';

const CREDENTIALS = { secret_key: 'sk_test_stub', webhook_secret: 'whsec_stub', raw_card_data: 'true' };

/** No test should come here. Stripe has no such status. */
const NOTHING: Prepared = { status: 599, body: {} };

/** Starts a server that gives prepared answers in order, and records the requests. Each test begins without either. */
export async function openStub() {
  const arrived: ReturnType<typeof arrivedOf>[] = [];
  const prepared: Prepared[] = [];
  const { url, http } = await openPrepared((request) => {
    arrived.push(arrivedOf(request));
    return prepared.shift() ?? NOTHING;
  });
  const clear = (): void => {
    arrived.length = 0;
    prepared.length = 0;
  };
  afterEach(clear);
  return {
    connector: createStripe({ api: url, files: `${url}/files` }),
    ...{ arrived, clear },
    /** Prepares the next answers. A body without a status is a success. */
    answer: (...answers: readonly Prepared[]): void => void prepared.push(...answers),
    context: (definitionId = 'stripe-card', credentials: Credentials = {}): CallContext => ({
      definition: definitionOf(definitionId),
      credentials: { ...CREDENTIALS, ...credentials },
      ...{ environment: 'sandbox', http, accessTokens: noTokens(), deadlineMs: 10_000 },
    }),
  };
}

export function definitionOf(id: string) {
  const definition = stripeDefinitions.find((each) => each.id === id);
  if (!definition) throw new Error(`Stripe has no definition ${id}`);
  return definition;
}

/** Returns a request as Stripe got it. `form` has the names of the query or of the body. */
function arrivedOf({ method, path: url, headers, body }: DoubleRequest) {
  const [path = '', query = ''] = url.split('?');
  const isForm = method === 'GET' || headers['content-type'] === 'application/x-www-form-urlencoded';
  const form = Object.fromEntries(new URLSearchParams(method === 'GET' ? query : body));
  return { call: `${method} ${path}`, form: isForm ? form : {}, headers, body };
}
