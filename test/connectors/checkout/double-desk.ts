import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { callConnector, lookUp, type ConnectorCall } from '../../../src/connectors/calls/call.ts';
import { resumePayment } from '../../../src/connectors/calls/call-resume.ts';
import { checkoutDefinitions } from '../../../src/connectors/checkout/definitions.ts';
import type { CallContext, Credentials } from '../../../src/connectors/interface/call-context.ts';
import type {
  AuthorizeRequest,
  LookupRequest,
  Series,
  Verb,
} from '../../../src/connectors/interface/requests.ts';
import { readWebhook } from '../../../src/connectors/reading/read-webhook.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { noTokens } from '../../support/no-tokens.ts';
import { authorization, RETURN_URL } from '../contract-calls.ts';
import { theOnly } from '../paypal/stand.ts';
import type { CheckoutDoubleSettings } from './double.ts';
import { MINUTE_MS } from './world.ts';
import { startCheckout } from './start.ts';

export const LOG = pino({ level: 'silent' });
export const HOUR_MS = 60 * MINUTE_MS;

export const EUR = (amount: number) => ({ amount, currency: 'EUR' });

/** A payment of a series, with the card on file. */
export const SERIES: Series = {
  ...{ store: false, tokenizes: false, source: 'recurring', merchantInitiated: false },
  ...{ isSubsequentPayment: false, schemeTransactionId: null },
};

type Paying = Partial<Omit<AuthorizeRequest, 'key'>>;
type Subject = {
  readonly key: string;
  readonly reference: string | null;
  readonly money?: LookupRequest['money'];
};

/** Calls the double of Checkout.com through the connector, as the core does. Time passes only by `pass`. */
export async function startDesk(settings: CheckoutDoubleSettings = {}) {
  let now = new Date('2026-11-24T12:00:00Z');
  const { double, connector, fields, close } = await startCheckout({ now: () => now, ...settings });
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const contextOf = (more: Credentials = {}): CallContext => ({
    ...{ definition: theOnly(checkoutDefinitions), environment: 'sandbox', http, deadlineMs: 60_000 },
    ...{ credentials: { ...fields, ...more }, accessTokens: noTokens() },
  });
  const call = (requested: ConnectorCall, context = contextOf()) =>
    callConnector(connector, context, LOG, requested);
  /** Sends a payment. */
  const pay = async ({ money = EUR(1299), ...changes }: Paying = {}, context = contextOf()) => {
    const requested = authorization(money, changes);
    return { ...requested, outcome: await call(requested, context) };
  };
  /** Makes a payment that is authorised, or a sale whose capture is decided. */
  const paid = async (changes: Paying = {}) => {
    const { outcome, ...requested } = await pay(changes);
    if (outcome.kind !== 'succeeded' && !(outcome.kind === 'accepted' && requested.capture))
      throw new Error(JSON.stringify(outcome));
    if (requested.capture) double.hands.decideOpen();
    return { ...requested, reference: outcome.reference, outcome };
  };
  /** Sends a change of a payment. */
  const change = async (
    verb: 'capture' | 'refund' | 'void',
    reference: string,
    amount = 1299,
    final = true,
  ) => {
    const given = { key: randomUUID(), money: EUR(amount), reference };
    const requested: ConnectorCall =
      verb === 'capture'
        ? { verb, ...given, final }
        : verb === 'refund'
          ? { verb, ...given, captures: [{ key: randomUUID(), reference: 'act_1', amount }] }
          : { verb, ...given };
    return { requested, ...given, outcome: await call(requested) };
  };
  const bookOf = (reference: string) => {
    const book = double.books().find(({ id }) => id === reference);
    if (!book) throw new Error(`The double has no payment ${reference}.`);
    return book;
  };
  return {
    ...{ double, connector, fields, contextOf, call, pay, paid, change, bookOf, RETURN_URL },
    pass: (ms: number) => void (now = new Date(now.getTime() + ms)),
    resume: ({ key, reference }: Subject, capture = false) =>
      resumePayment(connector, contextOf(), LOG, {
        ...{ key, money: EUR(1299), capture, reference: reference ?? '', returned: {} },
      }),
    look: (
      verb: Verb,
      { key, reference, money = EUR(1299) }: Subject,
      approval: LookupRequest['approval'] = null,
    ) =>
      lookUp(connector, contextOf(), LOG, {
        ...{ key, verb, reference, money, createdAt: now, approval, resuming: false, accountEnding: null },
      }),
    /** Reads everything that the double owes, as the core reads it. */
    told: () =>
      double.webhooks().flatMap(({ headers, body }) => {
        const { definition, credentials } = contextOf();
        const request = { headers, rawBody: Buffer.from(body), credentials, definition, now };
        const read = readWebhook(connector, { ...request, environment: 'sandbox' }, LOG);
        if (!read.ok) throw new Error(`${read.refusals[0]}: ${body}`);
        if (read.value.unread.length > 0) throw new Error(`not read: ${body}`);
        return read.value.notices;
      }),
    /** Returns the bodies of the requests of a call, such as `POST /payments`. */
    sent: (name: string): readonly Readonly<Record<string, unknown>>[] =>
      double.requests
        .filter(({ method, path }) => `${method} ${path}` === name)
        .map(({ body }) => JSON.parse(body) as Readonly<Record<string, unknown>>),
    close: async () => {
      http.close();
      await close();
    },
  };
}
