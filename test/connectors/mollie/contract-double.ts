import { mollie } from '../../../src/connectors/mollie/index.ts';
import type { Definition } from '../../../src/connectors/interface/definition.ts';
import type { Verb } from '../../../src/connectors/interface/requests.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../contract-faults.ts';
import type { ContractProvider, Decision, Subject } from '../contract-provider.ts';
import { sentTo, type DoubleRequest } from '../double-server.ts';
import { API_KEY, createMollieDouble, type MollieDouble } from './double.ts';
import { WEBHOOK_SECRET } from './start.ts';

const CARD = 'mollie-card';

/** Mollie, as the suites of the contract see it. A stored card pays without the buyer. */
export const mollieSubject: Subject = {
  name: 'its double',
  connector: mollie,
  faults: DOUBLE_FAULTS,
  manner: ({ id }) => ({
    receives: ['capture', 'refund'],
    // A request that Mollie refuses before it works leaves nothing behind.
    forgets: ['fail'],
    keepsPayments: true,
    returns: true,
    // A payment that the buyer cancelled holds nothing.
    keepsRefusals: false,
    comparesRepeats: true,
    onlyNames: true,
    wordless: ['void'],
    // Nobody pays a payment whose page nobody knows.
    needsNothing: ['cancel'],
    asksBuyer: id !== CARD,
  }),
  start: startDouble,
};

async function startDouble({ id }: Definition, now = (): Date => new Date()): Promise<ContractProvider> {
  const double = createMollieDouble({ now });
  const server = await double.listen();
  for (const method of ['ideal', 'bancontact']) double.hands.letCancel(method);
  const token = id === CARD ? await storeCard(double) : null;
  return {
    credentials: { api_key: API_KEY, webhook_secret: WEBHOOK_SECRET },
    via: (http) => sentTo(http, server.url),
    money: (verb, decision) => {
      const amount = AMOUNTS[verb][decision];
      return amount === undefined ? null : { amount, currency: 'EUR' };
    },
    pays: (decision, verb) => ({
      card: null,
      token: verb === 'authorize' && decision === 'fail' ? 'cst_none/mdt_none' : token,
    }),
    leaves: () => ({ token: null }),
    means: () => ({ token: 'tkn_direct' }),
    arrange: (verb, decision, { reference }) => {
      if (verb === 'void' && decision === 'fail') double.hands.capture(reference, 1299);
      else if (decision === 'decline' || decision === 'fail') double.hands.endNext('failed');
    },
    elsewhere: {
      capture: (payment, amount) => void double.hands.capture(payment, amount),
      refund: (payment, amount) => double.hands.refund(payment, amount),
      void: (payment) => double.hands.release(payment),
    },
    failNext: (...faults) => double.failNext(doubleFaults(faults), /^\w+ \/v2\/payments/),
    failNextRead: (...faults) => double.failNext(doubleFaults(faults), /^GET /),
    release: () => double.release(),
    keys: () => double.requests.filter(isWork).map(keyIn),
    done: () => doneOf(double),
    finish: () => double.hands.decideOpen(),
    webhooks: () => double.webhooks(),
    takeBack: (verb, key) => takeBack(double, verb, key),
    returned: (decision, key) => {
      const away = paymentOf(double, key);
      if (away) double.hands.decide(away.id, decision);
      return {};
    },
    returnUrl: (key) => paymentOf(double, key)?.redirectUrl ?? '',
    close: () => server.close(),
  };
}

const isWork = ({ method, path }: DoubleRequest): boolean =>
  method !== 'GET' && path.startsWith('/v2/payments');

const keyIn = ({ headers }: DoubleRequest): string => headers['idempotency-key'] ?? '';

const AMOUNTS: Readonly<Record<Verb, Readonly<Partial<Record<Decision, number>>>>> = {
  // The issuer refuses 1006 euros.
  authorize: { approve: 1299, decline: 100_600, fail: 1299 },
  capture: { approve: 1299, decline: 1299 },
  refund: { approve: 1299, fail: 1299 },
  void: { approve: 1299, fail: 1299 },
  cancel: {},
  increase: {},
  reauthorize: {},
};

const paymentOf = (double: MollieDouble, key: string) =>
  double.payments().find((payment) => payment.key === key);

/** Calls the double beside the connector. */
async function post(double: MollieDouble, path: string, body: object): Promise<string> {
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const answer = await double.handle({ method: 'POST', path, headers, body: JSON.stringify(body) });
  return (JSON.parse(answer?.body ?? '') as { readonly id: string }).id;
}

/** Pays once with the buyer, and stores the card. */
async function storeCard(double: MollieDouble): Promise<string> {
  const customerId = await post(double, '/v2/customers', {});
  const id = await post(double, '/v2/payments', {
    ...{ amount: { currency: 'EUR', value: '1.00' }, description: 'A first payment', method: 'creditcard' },
    ...{ redirectUrl: 'https://shop.example/', customerId, sequenceType: 'first' },
  });
  double.hands.decide(id, 'approve');
  double.webhooks();
  return `${customerId}/${double.payments().find((payment) => payment.id === id)?.mandateId ?? ''}`;
}

/** Lists the operations with an effect, by the books. A release has no key there, so its first request names it. */
function doneOf(double: MollieDouble): readonly string[] {
  return double.payments().flatMap((payment) => {
    const { id, key, authorizedAt, paidAt, canceledAt, failedAt, captures, refunds } = payment;
    const released = authorizedAt !== null && canceledAt !== null;
    const path = `/v2/payments/${id}/release-authorization`;
    const release = released ? double.requests.find((each) => each.path === path) : undefined;
    return [
      ...(key !== null && (authorizedAt ?? paidAt ?? failedAt) !== null ? [key] : []),
      ...[...captures, ...refunds].flatMap((part) => part.key ?? []),
      ...(release ? [keyIn(release)] : []),
    ];
  });
}

/** Lets an authorisation expire, or fails a refund after its success. A capture stays. */
function takeBack(double: MollieDouble, verb: 'authorize' | 'capture' | 'refund', key: string): boolean {
  const payment = paymentOf(double, key);
  if (verb === 'authorize' && payment) double.hands.expire(payment.id);
  const refund = double
    .payments()
    .flatMap(({ refunds }) => refunds)
    .find((each) => each.key === key);
  if (verb === 'refund' && refund) double.hands.failRefund(refund.id);
  return verb !== 'capture';
}
