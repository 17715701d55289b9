import { acceptClaim, findDispute, provideEvidence } from './disputes.ts';
import type { Json } from './json.ts';
import type { Done } from './keys.ts';
import { createOrder, findOrder, finishOrder } from './orders.ts';
import {
  captureAuthorization,
  findAuthorization,
  findCapture,
  findRefund,
  reauthorize,
  refundCapture,
  voidAuthorization,
} from './payments.ts';
import { refuseMissing } from './refusal.ts';
import { checkNames, listDisputes, listEvents, listTokens, searchTransactions } from './reports.ts';
import { authorizationView, captureView, disputeView, orderView, refundView, tokenView } from './views.ts';
import { emit, type Order, type PayPalWorld, type Wire } from './world.ts';

/** A checked request. */
export type Asked = {
  readonly world: PayPalWorld;
  readonly id: string;
  readonly body: Json;
  readonly query: URLSearchParams;
  readonly requestId: string | null;
};

export type Call = (asked: Asked) => Done;

const shows = (view: () => object, status = 200): Done => ({ show: () => ({ status, body: view() }) });

/** An answer that shows the object as it is now. Without the preference for the whole, only its id and links. */
const showsNow = (status: number, view: () => object): Done => ({
  show: ({ isWhole }) => {
    const whole = view() as Wire;
    const { id = null, status: word = null, links = [] } = whole;
    return { status, body: isWhole ? whole : { id, status: word, links } };
  },
});

const showsOrder = (world: PayPalWorld, order: Order): Done => {
  // PayPal answers 200 when the buyer has to act first.
  const first = order.status === 'PAYER_ACTION_REQUIRED' ? 200 : 201;
  return {
    show: ({ isRepeat, isWhole }) => ({
      status: isRepeat ? 200 : first,
      body: orderView(world, order, isWhole),
    }),
  };
};

const finish =
  (action: Order['intent']): Call =>
  ({ world, id, requestId }) => {
    const order = findOrder(world, id);
    finishOrder(world, order, action, requestId);
    return showsOrder(world, order);
  };

/** The calls that the double knows, besides those of access and of signatures. */
export const CALLS: Readonly<Record<string, Call>> = {
  'POST /v2/checkout/orders': ({ world, body, requestId }) =>
    showsOrder(world, createOrder(world, body, requestId)),
  'GET /v2/checkout/orders/{id}': ({ world, id, query }) => {
    checkNames(query, ['fields']);
    const order = findOrder(world, id);
    return shows(() => orderView(world, order));
  },
  'POST /v2/checkout/orders/{id}/authorize': finish('AUTHORIZE'),
  'POST /v2/checkout/orders/{id}/capture': finish('CAPTURE'),
  'GET /v2/payments/authorizations/{id}': ({ world, id }) => {
    const authorization = findAuthorization(world, id);
    return shows(() => authorizationView(world, authorization));
  },
  'POST /v2/payments/authorizations/{id}/capture': ({ world, id, body, requestId }) => {
    const made = captureAuthorization(world, findAuthorization(world, id), body, requestId);
    return showsNow(201, () => captureView(world, made));
  },
  'POST /v2/payments/authorizations/{id}/void': ({ world, id }) => {
    const authorization = findAuthorization(world, id);
    voidAuthorization(world, authorization);
    return {
      show: ({ isWhole }) =>
        isWhole
          ? { status: 200, body: authorizationView(world, authorization) }
          : { status: 204, body: null },
    };
  },
  'POST /v2/payments/authorizations/{id}/reauthorize': ({ world, id, body, requestId }) => {
    const renewed = reauthorize(world, findAuthorization(world, id), body, requestId);
    return showsNow(201, () => authorizationView(world, renewed));
  },
  'GET /v2/payments/captures/{id}': ({ world, id }) => {
    const made = findCapture(world, id);
    return shows(() => captureView(world, made));
  },
  'POST /v2/payments/captures/{id}/refund': ({ world, id, body, requestId }) => {
    const refund = refundCapture(world, findCapture(world, id), body, requestId);
    return showsNow(201, () => refundView(world, refund));
  },
  'GET /v2/payments/refunds/{id}': ({ world, id }) => {
    const refund = findRefund(world, id);
    return shows(() => refundView(world, refund));
  },
  'GET /v3/vault/payment-tokens': ({ world, query }) => shows(() => listTokens(world, query)),
  'GET /v3/vault/payment-tokens/{id}': ({ world, id }) => {
    const token = world.tokens.get(id) ?? refuseMissing();
    return shows(() => tokenView(world, token));
  },
  'DELETE /v3/vault/payment-tokens/{id}': ({ world, id }) => {
    const token = world.tokens.get(id);
    world.tokens.delete(id);
    if (token) emit(world, 'VAULT.PAYMENT-TOKEN.DELETED', 'payment_token', { id }, '3.0');
    return { show: () => ({ status: 204, body: null }) };
  },
  'GET /v1/customer/disputes': ({ world, query }) => shows(() => listDisputes(world, query)),
  'GET /v1/customer/disputes/{id}': ({ world, id }) => {
    const dispute = findDispute(world, id);
    return shows(() => disputeView(world, dispute));
  },
  'POST /v1/customer/disputes/{id}/provide-evidence': ({ world, id, body }) => {
    const dispute = findDispute(world, id);
    provideEvidence(world, dispute, body);
    return shows(() => ({ links: [selfOf(world, id)] }));
  },
  'POST /v1/customer/disputes/{id}/accept-claim': ({ world, id }) => {
    acceptClaim(world, findDispute(world, id));
    return shows(() => ({ links: [selfOf(world, id)] }));
  },
  'GET /v1/reporting/transactions': ({ world, query }) => shows(() => searchTransactions(world, query)),
  'GET /v1/notifications/webhooks-events': ({ world, query }) => shows(() => listEvents(world, query)),
  'GET /v1/notifications/webhooks-events/{id}': ({ world, id }) => {
    const event = world.events.find((each) => each.id === id) ?? refuseMissing();
    return shows(() => event);
  },
};

const selfOf = ({ settings }: PayPalWorld, id: string): object => ({
  ...{ href: `${settings.api}/v1/customer/disputes/${id}`, rel: 'self', method: 'GET' },
});
