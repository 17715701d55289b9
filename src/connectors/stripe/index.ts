import { googlePayReceiver, type CallContext, type Connector } from '../door.ts';
import { readBooks } from './books/read-books.ts';
import { abandon } from './payments/abandon.ts';
import { authorize, resume } from './payments/authorize.ts';
import { capture } from './payments/capture.ts';
import { STRIPE_AMOUNTS } from './model/amount.ts';
import { stripeDefinitions } from './model/definitions.ts';
import { disputesOf } from './disputes/disputes.ts';
import { openApi, STRIPE_HOSTS, type StripeHosts } from './api/exchange.ts';
import { increase } from './payments/increase.ts';
import { lookup } from './payments/lookup.ts';
import { refund } from './payments/refund.ts';
import { cancel, voidPayment } from './payments/release.ts';
import { settlementsOf } from './settlements/settlement.ts';
import { verify } from './verification.ts';
import { stripeWebhooks } from './webhooks/webhook.ts';

/** Stripe keeps a key for at least 24 hours. A repeat must arrive well before. */
const KEY_WINDOW_MS = 23 * 3_600_000;

/** The version in Google's own example of this gateway. */
const GATEWAY_VERSION = '2018-10-31';

/** Creates the connector for Stripe at these addresses. Only tests have others than Stripe's own. */
export function createStripe(hosts: StripeHosts): Connector {
  const open = (context: CallContext) => openApi(context, hosts);
  return {
    id: 'stripe',
    definitions: stripeDefinitions,
    recovery: { kind: 'keys', windowMs: KEY_WINDOW_MS },
    amounts: STRIPE_AMOUNTS,
    webhooks: stripeWebhooks,
    disputes: disputesOf(open),
    settlements: settlementsOf(open),
    googlePay: (fields) =>
      googlePayReceiver(fields, {
        gateway: 'stripe',
        'stripe:version': GATEWAY_VERSION,
        'stripe:publishableKey': fields['publishable_key'],
      }),
    authorize: (context, request) => authorize(open(context), context, request),
    capture: (context, request) => capture(open(context), request),
    refund: (context, request) => refund(open(context), request),
    void: (context, request) => voidPayment(open(context), request),
    increase: (context, request) => increase(open(context), request),
    cancel: (context, request) => cancel(open(context), context, request),
    resume: (context, request) => resume(open(context), request),
    abandon: (context, request) => abandon(open(context), request),
    lookup: (context, request) => lookup(open(context), request),
    readBooks: (context, request) => readBooks(open(context), request),
    verify: (context) => verify(open(context), context),
  };
}

export const stripe = createStripe(STRIPE_HOSTS);
