import { PAYPAL_AMOUNTS, type CallContext, type Connector } from '../door.ts';
import { paymentOf, readBooks } from './books/read-books.ts';
import { paypalDefinitions } from './definitions.ts';
import { disputesOf } from './disputes/disputes.ts';
import { openApi, PAYPAL_HOSTS, type PayPalHosts } from './exchange.ts';
import { authorize, resume } from './payments/authorize.ts';
import { capture, reauthorize } from './payments/capture.ts';
import { lookup } from './payments/lookup.ts';
import { refund } from './payments/refund.ts';
import { cancel, voidPayment } from './payments/release.ts';
import { revokeToken } from './payments/revoke.ts';
import { openSession } from './payments/session.ts';
import { settlementsOf } from './settlements/settlement.ts';
import { verifyPayPal } from './verification.ts';
import { PAYPAL_SIGNINGS, type PayPalSignings } from './webhooks/signature.ts';
import { webhooksOf } from './webhooks/webhook.ts';

const HOUR_MS = 3_600_000;

/** PayPal keeps the request ids of orders for six hours, and those of payments for 45 days. A repeat must arrive well before. */
const ORDER_KEYS = { kind: 'keys', windowMs: 5 * HOUR_MS } as const;
const PAYMENT_KEYS = { kind: 'keys', windowMs: 44 * 24 * HOUR_MS } as const;

/**
 * Creates the connector for PayPal, by the Orders API v2 and the Payments API v2. Only tests have other addresses and
 * other certificates than PayPal's own.
 *
 * - The reference of a payment is the id of its order, in every state.
 * - The order has all authorisations, captures and refunds of the payment.
 */
export function createPayPal(hosts: PayPalHosts, signings: PayPalSignings = PAYPAL_SIGNINGS): Connector {
  const open = (context: CallContext) => openApi(context, hosts);
  return {
    id: 'paypal',
    definitions: paypalDefinitions,
    recovery: {
      authorize: ORDER_KEYS,
      capture: PAYMENT_KEYS,
      refund: PAYMENT_KEYS,
      void: PAYMENT_KEYS,
      cancel: ORDER_KEYS,
    },
    namesCaptures: true,
    amounts: PAYPAL_AMOUNTS,
    webhooks: webhooksOf(signings),
    disputes: disputesOf(open),
    settlements: settlementsOf(open),
    sessions: { open: (context, request) => Promise.resolve(openSession(context, request)) },
    authorize: (context, request) => authorize(open(context), request),
    capture: (context, request) => capture(open(context), request),
    refund: (context, request) => refund(open(context), request),
    void: (context, request) => voidPayment(open(context), request),
    reauthorize: (context, request) => reauthorize(open(context), request),
    cancel: (context, request) => cancel(open(context), request),
    resume: (context, request) => resume(open(context), request),
    lookup: (context, request) => lookup(open(context), request),
    readBooks: (context, request) => readBooks(open(context), request),
    paymentOf: (context, request) => paymentOf(open(context), request),
    verify: (context) => verifyPayPal(hosts, context),
    revokeMandate: (context, request) => revokeToken(open(context), request),
  };
}

export const paypal: Connector = createPayPal(PAYPAL_HOSTS);
