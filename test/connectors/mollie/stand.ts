import { afterAll } from '@jest/globals';
import { createAccessTokenStore } from '../../../src/connectors/calls/access-token-store.ts';
import type { CallContext } from '../../../src/connectors/interface/call-context.ts';
import type { AuthorizeRequest, LookupRequest } from '../../../src/connectors/interface/requests.ts';
import { systemClock } from '../../../src/platform/clock.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { authorization, RETURN_URL } from '../contract-calls.ts';
import { startMollie } from './start.ts';

export const EUR = { amount: 1299, currency: 'EUR' };

/** Starts a double with a connector for the tests of a file. The test moves the clock of the double. */
export async function openStand() {
  let nowMs = Date.UTC(2026, 10, 1);
  const now = (): Date => new Date(nowMs);
  const started = await startMollie({ now });
  const { connector, double, fields } = started;
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const tokens = createAccessTokenStore(systemClock);
  afterAll(async () => {
    http.close();
    await started.close();
  });
  const contextOf = (definitionId: string, changes: Partial<CallContext> = {}): CallContext => {
    const definition = connector.definitions.find(({ id }) => id === definitionId);
    if (!definition) throw new Error(`The connector has no definition ${definitionId}.`);
    return {
      ...{ definition, credentials: fields, environment: 'sandbox', http, deadlineMs: 60_000 },
      ...{ accessTokens: tokens.of('service', fields), ...changes },
    };
  };
  const begin = async (changes: Partial<AuthorizeRequest> = {}, definition = 'mollie-card') => {
    const request = authorization(EUR, { card: null, returnUrl: RETURN_URL, ...changes });
    const outcome = await connector.authorize(contextOf(definition), request);
    const reference = 'reference' in outcome ? (outcome.reference ?? '') : '';
    return { request, outcome, key: request.key, reference, money: request.money };
  };
  return {
    ...{ connector, double, contextOf, now, begin },
    pass: (ms: number): void => void (nowMs += ms),
    /** Pays on Mollie's page. */
    pay: async (changes: Partial<AuthorizeRequest> = {}, definition = 'mollie-card') => {
      const begun = await begin(changes, definition);
      double.hands.decide(begun.reference, 'approve');
      return begun;
    },
    /** Looks an operation up. */
    lookUp: (request: Pick<LookupRequest, 'verb' | 'key' | 'reference'>) =>
      connector.lookup(contextOf('mollie-card'), {
        ...{ money: EUR, createdAt: now(), approval: null, resuming: false, ...request },
      }),
    /** The body of the last POST to a path. */
    sent: (path: string): unknown => {
      const last = double.requests.findLast((each) => each.method === 'POST' && each.path === path);
      return JSON.parse(last?.body ?? 'null');
    },
  };
}
