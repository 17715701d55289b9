import { googlePayReceiver, type CallContext, type Connector, type Recovery } from '../door.ts';
import { readBooks } from './books/read-books.ts';
import { checkoutDefinitions } from './definitions.ts';
import { disputesOf } from './disputes/disputes.ts';
import { checkoutHosts, openApi, type CheckoutHosts } from './exchange.ts';
import { authorize, resume } from './payments/authorize.ts';
import { cancel } from './payments/cancel.ts';
import { capture, refund, release } from './payments/change.ts';
import { lookup } from './payments/lookup.ts';
import { verify } from './verification.ts';
import { checkoutWebhooks } from './webhooks/webhook.ts';

const HOUR_MS = 3_600_000;

/**
 * Checkout.com keeps a key for 24 hours, and only with the answer of a success. It does the work of a failed request again. So a payment, a capture or a refund is looked up. It is repeated only after Checkout.com surely shows its work. The
 * search and the list of actions may be late.
 *
 * A cancel is repeated as late. By then, the search shows every payment that arrived.
 */
const LOOKED_UP: Recovery = { kind: 'lookup', quiescenceMs: 2 * HOUR_MS };

/** A second void of a payment releases nothing more. */
const REPEATED: Recovery = { kind: 'keys', windowMs: 23 * HOUR_MS };

/**
 * Creates the connector for Checkout.com, by the API of its platform "NAS". Only tests have another address.
 *
 * - Captures, refunds and voids are only received at first. Webhooks and look-ups bring their decisions.
 * - Every operation on a payment is an action with an id of its own.
 */
export function createCheckout(hosts: CheckoutHosts): Connector {
  const open = (context: CallContext) => openApi(context, hosts);
  return {
    id: 'checkout',
    definitions: checkoutDefinitions,
    recovery: {
      ...{ authorize: LOOKED_UP, capture: LOOKED_UP, refund: LOOKED_UP, cancel: LOOKED_UP },
      void: REPEATED,
    },
    namesCaptures: true,
    webhooks: checkoutWebhooks,
    disputes: disputesOf(open),
    googlePay: (fields) =>
      googlePayReceiver(fields, { gateway: 'checkoutltd', gatewayMerchantId: fields['public_key'] }),
    authorize: (context, request) => authorize(open(context), context, request),
    capture: (context, request) => capture(open(context), request),
    refund: (context, request) => refund(open(context), request),
    void: (context, request) => release(open(context), request, 'void'),
    cancel: (context, request) => cancel(open(context), request),
    resume: (context, request) => resume(open(context), request),
    lookup: (context, request) => lookup(open(context), request),
    readBooks: (context, request) => readBooks(open(context), request),
    verify: (context) => verify(open(context), context),
  };
}

export const checkout = createCheckout(checkoutHosts);
