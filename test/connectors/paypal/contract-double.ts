import type { Verb } from '../../../src/connectors/interface/requests.ts';
import { readName } from '../../../src/connectors/paypal/names.ts';
import { RETURN_URL } from '../contract-calls.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../contract-faults.ts';
import type { ContractProvider, Decision, Subject } from '../contract-provider.ts';
import { sentTo, type DoubleRequest } from '../double-server.ts';
import { createPayPalDouble, type PayPalDouble } from './double.ts';
import { trusting } from './stand.ts';

/** PayPal, as the suites of the contract see it. A stored method pays without the buyer. All definitions have one double. */
export function paypalSubject(): Subject {
  let now = (): Date => new Date();
  const double = createPayPalDouble({ reportLagMs: 0, now: () => now() });
  return {
    name: 'its double',
    connector: trusting(double.certificate.root()),
    faults: DOUBLE_FAULTS,
    manner: () => ({
      // A request that PayPal refuses before it works leaves nothing behind.
      forgets: ['fail'],
      keepsPayments: true,
      returns: true,
      keepsRefusals: false,
      // An order does not tell which request renewed its authorisation.
      foundByRepeat: ['reauthorize'],
      // An order that the buyer has not approved holds nothing, and only we complete an order.
      needsNothing: ['cancel'],
    }),
    start: (_, given = now) => {
      now = given;
      return startDouble(double);
    },
  };
}

async function startDouble(double: PayPalDouble): Promise<ContractProvider> {
  const server = await double.listen();
  const client = await clientOf(double);
  const token = await storeMethod(double, client);
  let decided: Decision = 'approve';
  const credentials = {
    ...{ client_id: double.clientId, client_secret: double.clientSecret },
    ...{ webhook_id: double.webhookId, merchant_id: double.merchantId },
  };
  return {
    credentials,
    recipients: { known: 'SELLER2222222', unknown: 'UNKNWNPAYEE22' },
    // The id of the webhook's registration is a part of the signed text.
    others: { ...credentials, webhook_id: 'WEBHOOK0000000002' },
    via: (http) => sentTo(http, server.url),
    money: (verb, decision) => {
      const amount = AMOUNTS[verb][decision];
      return amount === undefined ? null : { amount, currency: 'USD' };
    },
    pays: (decision, verb) => ({
      ...{ card: null, returnUrl: RETURN_URL },
      token: verb === 'authorize' && decision === 'fail' ? 'no-such-method' : token,
    }),
    leaves: () => ({ token: null }),
    arrange: (verb, decision, { reference }) => {
      decided = decision;
      if (decision === 'fail') PREVENTED_BY[verb]?.(double, client, reference);
      // PayPal renews no authorisation of the first three days.
      else if (verb === 'reauthorize') double.hands.letRenew(authorizationOf(double, reference));
      const next = NEXT[verb][decision];
      if (next) double.hands.answerNext(next);
    },
    elsewhere: {
      capture: (order, amount) => void double.elsewhere.capture(authorizationOf(double, order), amount),
      refund: (order, amount) => double.elsewhere.refund(captureOf(double, order), amount),
      void: (order) => double.elsewhere.void(authorizationOf(double, order)),
    },
    failNext: (...faults) => double.failNext(doubleFaults(faults), WORK),
    failNextRead: (...faults) => double.failNext(doubleFaults(faults), /^GET /),
    release: () => double.release(),
    keys: () => double.requests.filter(isWork).map(operationIn),
    done: () => doneOf(double),
    finish: () => decideOpen(double, decided),
    webhooks: () =>
      double.webhooks().map(({ headers, body }) => ({ headers, body, material: double.certificate.chain() })),
    takeBack: (verb, key) => takeBack(double, verb, key),
    returned: (decision, key) => {
      const away = double.books().payments.find(({ customId }) => customId === key);
      const address =
        decision === 'nothing' || !away
          ? null
          : double.hands.decide(away.id, decision === 'approve' ? 'approve' : 'cancel');
      return Object.fromEntries(new URL(address ?? RETURN_URL).searchParams);
    },
    returnUrl: (key) => {
      const begun = double.requests.find((each) => operationIn(each) === key);
      return /"return_url":"([^"]+)"/.exec(begun?.body ?? '')?.[1] ?? '';
    },
    close: () => server.close(),
  };
}

const WORK = /^POST \/v2\//;

const isWork = ({ method, path }: DoubleRequest): boolean => WORK.test(`${method} ${path}`);

/** The operation of a request, by its key. A key with a colon belongs to a step of the operation. */
const operationIn = ({ headers }: DoubleRequest): string =>
  (headers['paypal-request-id'] ?? '').split(':')[0] ?? '';

type ByDecision<Value> = Readonly<Record<Verb, Readonly<Partial<Record<Decision, Value>>>>>;

const AMOUNTS: ByDecision<number> = {
  authorize: { approve: 1299, decline: 1299, fail: 1299, later_approve: 1299, later_decline: 1299 },
  capture: { approve: 1299, decline: 1299, fail: 1299, later_approve: 1299, later_decline: 1299 },
  refund: { approve: 1299, fail: 1299, later_approve: 1299 },
  void: { approve: 1299, fail: 1299 },
  cancel: {},
  increase: {},
  reauthorize: { approve: 1299, decline: 1299, fail: 1299 },
};

/** The statuses that the double gives to the next authorisation, capture or refund. */
const NEXT: ByDecision<'PENDING' | 'DENIED' | 'DECLINED'> = {
  authorize: { decline: 'DENIED', later_approve: 'PENDING', later_decline: 'PENDING' },
  capture: { decline: 'DECLINED', later_approve: 'PENDING', later_decline: 'PENDING' },
  refund: { later_approve: 'PENDING' },
  void: {},
  cancel: {},
  increase: {},
  reauthorize: { decline: 'DENIED' },
};

type Client = (call: string, body: object) => Promise<Readonly<Record<string, unknown>>>;

/** Logs in beside the connector. The double does its work before the first wait. */
async function clientOf(double: PayPalDouble): Promise<Client> {
  const send = async (call: string, headers: Readonly<Record<string, string>>, body: string) => {
    const [method = '', path = ''] = call.split(' ');
    const answer = await double.handle({ method, path, headers, body });
    return JSON.parse(answer?.body ?? '') as Readonly<Record<string, unknown>>;
  };
  const basic = Buffer.from(`${double.clientId}:${double.clientSecret}`).toString('base64');
  const form = 'application/x-www-form-urlencoded';
  const { access_token: token } = await send(
    'POST /v1/oauth2/token',
    { authorization: `Basic ${basic}`, 'content-type': form },
    'grant_type=client_credentials',
  );
  const headers = {
    ...{ authorization: `Bearer ${String(token)}`, 'content-type': 'application/json' },
    prefer: 'return=representation',
  };
  return (call, body) => send(call, headers, JSON.stringify(body));
}

/** Pays once with the buyer, and stores the method. */
async function storeMethod(double: PayPalDouble, client: Client): Promise<string> {
  const attributes = { vault: { store_in_vault: 'ON_SUCCESS', usage_type: 'MERCHANT' } };
  const { id } = await client('POST /v2/checkout/orders', {
    intent: 'CAPTURE',
    purchase_units: [{ amount: { currency_code: 'USD', value: '1.00' } }],
    payment_source: { paypal: { attributes } },
  });
  double.hands.decide(String(id), 'approve');
  const order = await client(`POST /v2/checkout/orders/${String(id)}/capture`, {});
  return /"vault":\{"id":"(\w+)"/.exec(JSON.stringify(order))?.[1] ?? '';
}

const paymentOf = (double: PayPalDouble, orderId: string) =>
  double.books().payments.find(({ id }) => id === orderId);

const authorizationOf = (double: PayPalDouble, orderId: string): string =>
  paymentOf(double, orderId)?.authorizations[0]?.id ?? '';

const captureOf = (double: PayPalDouble, orderId: string): string =>
  paymentOf(double, orderId)?.captures[0]?.id ?? '';

type Act = (double: PayPalDouble, client: Client, orderId: string) => void;

/** Ends an authorisation without the connector. */
const endAuthorization =
  (step: 'capture' | 'void'): Act =>
  (double, client, orderId) => {
    void client(`POST /v2/payments/authorizations/${authorizationOf(double, orderId)}/${step}`, {});
  };

/** Refunds a capture without the connector. */
const refundAll: Act = (double, client, orderId) => {
  void client(`POST /v2/payments/captures/${captureOf(double, orderId)}/refund`, {});
};

/** The act of another system after which PayPal refuses a follow-up, on every repeat. */
const PREVENTED_BY: Readonly<Partial<Record<Verb, Act>>> = {
  capture: endAuthorization('void'),
  void: endAuthorization('capture'),
  refund: refundAll,
};

/** Lists the operations with an effect, by the books. A void has no key there, so its first request names it. */
function doneOf(double: PayPalDouble): readonly string[] {
  return double.books().payments.flatMap((payment) => {
    const { customId, status, authorizations, captures, refunds } = payment;
    const renewals = authorizations.slice(1).filter((each) => each.status !== 'DENIED');
    const voided = authorizations.find((each) => each.status === 'VOIDED');
    const release = voided && double.requests.find(({ path }) => path.endsWith(`/${voided.id}/void`));
    return [
      ...(status === 'COMPLETED' && customId ? [customId] : []),
      ...captures.flatMap(({ invoiceId }) => (invoiceId && invoiceId !== customId ? [invoiceId] : [])),
      ...renewals.flatMap((renewal) => renewal.requestId ?? []),
      ...refunds.flatMap(({ customId: name }) => refundOf(name)),
      ...(release ? [operationIn(release)] : []),
    ];
  });
}

/** Returns the key of a refund. The last part of a refund of several captures names it. The double takes each name once. */
function refundOf(text: string | null): readonly string[] {
  const name = readName(text);
  if (!name) return text ? [text] : [];
  return name.part === name.parts ? [name.key] : [];
}

/** Reverses a capture, or fails a refund after its success. An authorisation stays. */
function takeBack(double: PayPalDouble, verb: 'authorize' | 'capture' | 'refund', key: string): boolean {
  const { payments } = double.books();
  const made = payments.flatMap(({ captures }) => captures).find(({ invoiceId }) => invoiceId === key);
  const refund = payments.flatMap(({ refunds }) => refunds).find(({ customId }) => customId === key);
  if (verb === 'capture' && made) double.hands.reverse(made.id);
  if (verb === 'refund' && refund) double.hands.deny(refund.id);
  return verb !== 'authorize';
}

/** Decides everything that is pending. */
function decideOpen(double: PayPalDouble, decided: Decision): void {
  for (const { authorizations, captures, refunds } of double.books().payments)
    for (const { id, status } of [...authorizations, ...captures, ...refunds])
      if (status === 'PENDING') double.hands[decided === 'later_decline' ? 'deny' : 'complete'](id);
}
