import { afterAll } from '@jest/globals';
import { createAccessTokenStore } from '../../../src/connectors/calls/access-token-store.ts';
import type { CallContext } from '../../../src/connectors/interface/call-context.ts';
import type { Outcome } from '../../../src/connectors/interface/outcome.ts';
import type {
  AuthorizeRequest,
  CaptureRequest,
  LookupRequest,
  RefundRequest,
} from '../../../src/connectors/interface/requests.ts';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../../src/platform/clock.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { authorization } from '../contract-calls.ts';
import type { BraintreeDoubleSettings } from './double.ts';
import { startBraintree } from './start.ts';

export const USD = { amount: 1299, currency: 'USD' };

/** Starts a double with a connector for the tests of a file. The test moves the clock of the double. */
export async function openStand(settings: BraintreeDoubleSettings = {}) {
  let nowMs = Date.UTC(2026, 10, 1);
  const now = (): Date => new Date(nowMs);
  const started = await startBraintree({ now, ...settings });
  const { connector, double, fields } = started;
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const tokens = createAccessTokenStore(systemClock);
  afterAll(async () => {
    http.close();
    await started.close();
  });
  const [definition] = connector.definitions;
  if (!definition) throw new Error('The connector has no definition');
  const contextWith = (changes: Partial<CallContext> = {}): CallContext => ({
    ...{ definition, credentials: fields, environment: 'sandbox', http, deadlineMs: 60_000 },
    ...{ accessTokens: tokens.of('service', fields), ...changes },
  });
  const authorize = (request: AuthorizeRequest, changes: Partial<CallContext> = {}) =>
    connector.authorize(contextWith(changes), request);
  const referenceOf = (outcome: Outcome): string => {
    if (!('reference' in outcome) || outcome.reference === null)
      throw new Error(`No reference: ${outcome.kind}`);
    return outcome.reference;
  };
  const pay = async (changes: Partial<AuthorizeRequest> = {}) => {
    const request = authorization(changes.money ?? USD, changes);
    const outcome = await authorize(request);
    return { request, outcome, key: request.key, reference: referenceOf(outcome), money: request.money };
  };
  const capture = (reference: string, changes: Partial<CaptureRequest> = {}) =>
    connector.capture(contextWith(), {
      ...{ key: randomUUID(), reference, money: USD, final: true, ...changes },
    });
  return {
    ...{ connector, double, contextWith, now, authorize, pay, capture, referenceOf },
    pass: (ms: number): void => void (nowMs += ms),
    /** Sells, and settles the sale. */
    sell: async (money = USD) => {
      const sold = await pay({ capture: true, money });
      double.hands.settleAll();
      return sold;
    },
    refund: (
      reference: string,
      key: string,
      parts: readonly (readonly [capture: string, amount: number])[],
      changes: Pick<RefundRequest, 'isRepeat'> = {},
    ) =>
      connector.refund(contextWith(), {
        ...{ key, reference, ...changes },
        money: { ...USD, amount: parts.reduce((sum, [, amount]) => sum + amount, 0) },
        captures: parts.map(([captured, amount]) => ({ key: randomUUID(), reference: captured, amount })),
      }),
    void: (reference: string, key: string = randomUUID()) =>
      connector.void(contextWith(), { key, reference, money: USD }),
    cancel: (authorizationKey: string, reference: string | null = null) =>
      connector.cancel(contextWith(), {
        ...{ key: randomUUID(), authorizationKey, reference, money: USD, createdAt: now(), resuming: false },
      }),
    /** Looks an operation up. */
    lookUp: (
      request: Pick<LookupRequest, 'verb' | 'key' | 'reference'> & {
        readonly money?: LookupRequest['money'];
      },
    ) =>
      connector.lookup(contextWith(), {
        ...{ money: USD, createdAt: now(), approval: null, resuming: false, ...request },
      }),
    books: (reference: string) =>
      connector.readBooks?.(contextWith(), { reference, createdAt: now(), currency: 'USD' }),
    /** The variables of the last request of a root field. */
    sent: (field: string): { readonly input: Record<string, unknown> } => {
      const last = double.requests.findLast(({ path }) => path.endsWith(` ${field}`));
      if (!last) throw new Error(`The double got no ${field}`);
      return (JSON.parse(last.body) as { readonly variables: { readonly input: Record<string, unknown> } })
        .variables;
    },
  };
}
