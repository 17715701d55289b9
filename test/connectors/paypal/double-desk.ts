import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createAccessTokenStore } from '../../../src/connectors/calls/access-token-store.ts';
import { callConnector, lookUp, type ConnectorCall } from '../../../src/connectors/calls/call.ts';
import type { CallContext, Credentials } from '../../../src/connectors/interface/call-context.ts';
import { resumePayment } from '../../../src/connectors/calls/call-resume.ts';
import { createPayPal } from '../../../src/connectors/paypal/index.ts';
import { paypalDefinitions } from '../../../src/connectors/paypal/definitions.ts';
import type { AuthorizeRequest, LookupRequest, Verb } from '../../../src/connectors/interface/requests.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { authorization, RETURN_URL } from '../contract-calls.ts';
import { createPayPalDouble, type PayPalDoubleSettings } from './double.ts';

export const LOG = pino({ level: 'silent' });
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

export const USD = (amount: number) => ({ amount, currency: 'USD' });

export const ORDERS = 'POST /v2/checkout/orders';

type Paying = Partial<Omit<AuthorizeRequest, 'key'>>;

/** Calls the double of PayPal through the connector, as the core does. Time passes only by `pass`. */
export async function startDesk(settings: PayPalDoubleSettings = {}) {
  let now = new Date();
  const double = createPayPalDouble({ now: () => now, ...settings });
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const listening = await double.listen();
  const paypal = createPayPal({ sandbox: listening.url, production: listening.url });
  const tokens = createAccessTokenStore({ now: () => now, sleep: () => Promise.resolve() });
  const [definition] = paypalDefinitions;
  if (!definition) throw new Error('PayPal has no definition');

  const contextOf = (more: Credentials = {}): CallContext => {
    const credentials = {
      ...{ client_id: double.clientId, client_secret: double.clientSecret },
      ...{ webhook_id: double.webhookId, merchant_id: double.merchantId, ...more },
    };
    return {
      ...{ definition, environment: 'sandbox', http, deadlineMs: 60_000, credentials },
      accessTokens: tokens.of('service', credentials),
    };
  };
  const call = (requested: ConnectorCall, context = contextOf()) =>
    callConnector(paypal, context, LOG, requested);
  const requestOf = ({ money = USD(1099), ...changes }: Paying = {}) =>
    authorization(money, { card: null, returnUrl: RETURN_URL, ...changes });
  /** Sends a payment. */
  const pay = async (changes: Paying = {}, context = contextOf()) => {
    const requested = requestOf(changes);
    return { requested, outcome: await call(requested, context) };
  };
  /** Sends a payment that waits for its buyer. */
  const waitFor = async (changes: Paying = {}) => {
    const { requested, outcome } = await pay(changes);
    if (outcome.kind !== 'accepted') throw new Error(JSON.stringify(outcome));
    return { ...requested, reference: outcome.reference, outcome };
  };
  const resume = (
    { key, money, capture, reference }: Awaited<ReturnType<typeof waitFor>>,
    returned: Readonly<Record<string, string>> = {},
    context = contextOf(),
  ) => resumePayment(paypal, context, LOG, { key, money, capture, reference, returned });
  const paid = async (changes: Paying = {}) => {
    const waiting = await waitFor(changes);
    double.hands.decide(waiting.reference, 'approve');
    const outcome = await resume(waiting);
    if (outcome.kind !== 'succeeded') throw new Error(JSON.stringify(outcome));
    return { ...waiting, reference: outcome.reference, outcome };
  };
  const captured = async (reference: string, amount: number, final = true) => {
    const requested = { verb: 'capture', key: randomUUID(), money: USD(amount), reference, final } as const;
    const outcome = await call(requested);
    if (outcome.kind !== 'succeeded') throw new Error(JSON.stringify(outcome));
    return { key: requested.key, reference: outcome.reference, amount };
  };
  return {
    ...{ double, paypal, contextOf, call, pay, waitFor, resume, paid, captured, requestOf },
    now: () => now,
    pass: (ms: number) => void (now = new Date(now.getTime() + ms)),
    look: (
      verb: Verb,
      {
        key,
        reference,
        money = USD(1099),
      }: { key: string; reference: string | null; money?: LookupRequest['money'] },
      approval: LookupRequest['approval'] = null,
      resuming = false,
    ) =>
      lookUp(paypal, contextOf(), LOG, {
        ...{ key, verb, reference, money, createdAt: new Date(now.getTime() - 8 * HOUR_MS) },
        ...{ approval, resuming, accountEnding: null },
      }),
    bookOf: (reference: string) => double.books().payments.find(({ id }) => id === reference),
    close: async () => {
      http.close();
      await listening.close();
    },
  };
}
