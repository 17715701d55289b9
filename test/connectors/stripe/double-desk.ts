import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { callConnector, lookUp, type ConnectorCall } from '../../../src/connectors/calls/call.ts';
import type { CallContext, Credentials } from '../../../src/connectors/interface/call-context.ts';
import { readWebhook } from '../../../src/connectors/reading/read-webhook.ts';
import type { AuthorizeRequest, Verb } from '../../../src/connectors/interface/requests.ts';
import { createStripe } from '../../../src/connectors/stripe/index.ts';
import type { WebhookNotice } from '../../../src/connectors/notices/webhook.ts';
import { createHttpClient, SANDBOX_NETWORKS } from '../../../src/platform/http/http-client.ts';
import { noTokens } from '../../support/no-tokens.ts';
import { createStripeDouble, type StripeDoubleSettings } from './double.ts';
import { authorization } from './objects.ts';
import { definitionOf } from './stub.ts';

export const LOG = pino({ level: 'silent' });
export const DAY_MS = 24 * 3_600_000;

export const USD = (amount: number) => ({ amount, currency: 'USD' });

/** Calls the double of Stripe through the connector, as the core does. Time passes only by `pass`. */
export async function startDesk({ gates = [] }: Pick<StripeDoubleSettings, 'gates'> = {}) {
  let now = new Date();
  const double = createStripeDouble({ now: () => now, gates });
  const http = createHttpClient({ allowedNetworks: SANDBOX_NETWORKS, allowInsecureHttp: true });
  const listening = await double.listen();
  const stripe = createStripe({ api: listening.url, files: listening.url });

  const contextOf = (definition = 'stripe-card', more: Credentials = {}): CallContext => ({
    ...{ definition: definitionOf(definition), environment: 'sandbox', http },
    ...{ accessTokens: noTokens(), deadlineMs: 60_000 },
    credentials: {
      ...{ secret_key: double.secretKey, webhook_secret: double.webhookSecret },
      ...{ raw_card_data: 'true', multiple_captures: 'true', incremental_authorization: 'true', ...more },
    },
  });
  const call = (requested: ConnectorCall, context = contextOf()) =>
    callConnector(stripe, context, LOG, requested);
  const pay = async (changes: Partial<AuthorizeRequest> = {}, context = contextOf()) => {
    const requested = { verb: 'authorize', ...authorization({ key: randomUUID(), ...changes }) } as const;
    return { requested, outcome: await call(requested, context) };
  };
  return {
    ...{ double, stripe, contextOf, call, pay },
    now: () => now,
    pass: (ms: number) => void (now = new Date(now.getTime() + ms)),
    paid: async (changes: Partial<AuthorizeRequest> = {}, context = contextOf()) => {
      const { outcome, requested } = await pay(changes, context);
      if (outcome.kind !== 'succeeded') throw new Error(JSON.stringify(outcome));
      return { ...requested, reference: outcome.reference, outcome };
    },
    look: (verb: Verb, key: string, reference: string | null, amount = 1099) =>
      lookUp(stripe, contextOf(), LOG, {
        ...{ key, verb, reference, money: USD(amount), createdAt: now, approval: null },
        ...{ resuming: false, accountEnding: null },
      }),
    /** Reads everything that the double owes, as the core reads it. */
    told: (context = contextOf()): readonly WebhookNotice[] =>
      double.webhooks().flatMap(({ headers, body }) => {
        const { credentials, definition } = context;
        const delivered = { headers, rawBody: Buffer.from(body), now, environment: 'sandbox' } as const;
        const read = readWebhook(stripe, { ...delivered, credentials, definition }, LOG);
        if (!read.ok) throw new Error(`${read.refusals[0]}: ${body}`);
        return read.value.notices;
      }),
    bookOf: (reference: string) => double.books().payments.find(({ id }) => id === reference),
    close: async () => {
      http.close();
      await listening.close();
    },
  };
}
