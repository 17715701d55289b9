import { randomUUID } from 'node:crypto';
import type { Definition } from '../../../src/connectors/interface/definition.ts';
import { stripe } from '../../../src/connectors/stripe/index.ts';
import { rowOf } from '../../../src/connectors/stripe/model/methods.ts';
import type { AuthorizeRequest, BankDebit, Verb } from '../../../src/connectors/interface/requests.ts';
import { RETURN_URL } from '../contract-calls.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../contract-faults.ts';
import type {
  ContractProvider,
  Decision,
  Subject,
  ContractMeans,
  MeansFeature,
} from '../contract-provider.ts';
import { sentTo } from '../double-server.ts';
import { buyerIn } from '../kit/whole-buyer.ts';
import { CARD_PAYMENT, encodeForm, type Given } from './double-client.ts';
import { createStripeDouble, type StripeDouble } from './double.ts';
import { NETWORK_TOKEN, NOBODY } from './objects.ts';
import { API_VERSION } from './world.ts';

const DAY_MS = 24 * 3_600_000;

/** The calls that move money or read. The others prepare the means to pay. */
const WORK = /^(?!POST \/v1\/(payment_methods|customers|tokens)$)/;

/** Stripe, as the suites of the contract see it. */
export const stripeSubject: Subject = {
  name: 'its double',
  connector: stripe,
  faults: DOUBLE_FAULTS,
  manner: ({ id, method }) => ({
    // A bank decides about a debit and a refund within days.
    receives: method === 'card' ? [] : method === 'bank' ? ['authorize', 'refund'] : ['refund'],
    // A request that Stripe refuses before it works leaves nothing behind.
    forgets: ['fail'],
    keepsPayments: true,
    comparesRepeats: true,
    repeatsErrors: true,
    returns: method === 'card' || rowOf(id)?.flow === 'redirect',
    asksBuyer: method !== 'card' && method !== 'bank',
  }),
  start: startDouble,
};

async function startDouble(
  { id, method, supportedCurrencies, supportedCountries }: Definition,
  givenNow = (): Date => new Date(),
): Promise<ContractProvider> {
  let passedMs = 0;
  const now = (): Date => new Date(givenNow().getTime() + passedMs);
  const double = createStripeDouble({ now, gates: ['network_tokens', 'network_transaction_ids'] });
  const server = await double.listen();
  const currency = method === 'card' ? 'USD' : currencyOf(supportedCurrencies);
  const elsewhere = { ...ELSEWHERE, buyer: buyerIn(supportedCountries[0] ?? 'NL') };
  return {
    recipients: { known: 'acct_1Seller', unknown: 'acct_unknown' },
    credentials: {
      ...{ secret_key: double.secretKey, webhook_secret: double.webhookSecret },
      ...(method === 'card' && {
        ...{ raw_card_data: 'true', incremental_authorization: 'true' },
        ...{ network_tokens: 'true', network_transaction_ids: 'true', multiple_captures: 'true' },
      }),
    },
    via: (http) => sentTo(http, server.url),
    now,
    money: (verb, decision) => {
      const amount = (AMOUNTS[method] ?? ELSEWHERE_AMOUNTS)[verb][decision];
      return amount === undefined ? null : { amount, currency };
    },
    pays: (decision, verb) => {
      if (method === 'card') return cardFor(decision, verb);
      return method === 'bank' ? accountFor(id, decision, verb) : elsewhere;
    },
    leaves: () => (method === 'card' ? { card: ASKING_CARD } : {}),
    means: (feature) => MEANS[feature] ?? { token: 'pm_card_visa' },
    arrange: (verb, decision, { reference }) => {
      if (decision !== 'fail') return;
      // Stripe changes no payment that was captured, and refunds none that was refunded.
      if (verb === 'refund') actBeside(double, '/v1/refunds', { payment_intent: reference });
      else actBeside(double, `/v1/payment_intents/${reference}/capture`, {});
    },
    elsewhere: {
      capture: (payment, amount) => double.elsewhere.capture(payment, amount),
      refund: (payment, amount) => double.elsewhere.refund(payment, amount),
      void: (payment) => double.elsewhere.cancel(payment),
    },
    failNext: (...faults) => double.failNext(doubleFaults(faults), WORK),
    release: () => double.release(),
    keys: () => keysOf(double),
    done: () => doneOf(double),
    finish: () => {
      for (const { id, status } of double.books().payments)
        if (status === 'requires_action') double.hands.decide(id, 'approve');
      if (method === 'bank') passedMs += 10 * DAY_MS;
      for (const { refunds } of double.books().payments)
        for (const refund of refunds) double.hands.completeRefund(refund.id);
    },
    webhooks: () => double.webhooks(),
    takeBack: (verb, key) => takeBack(double, verb, key),
    returned: (decision, key) => {
      const away = paymentOf(double, key);
      const address = decision === 'nothing' || !away ? null : double.hands.decide(away.id, decision);
      return Object.fromEntries(new URL(address ?? RETURN_URL).searchParams);
    },
    decidesElsewhere: (decision, key) => {
      const waiting = paymentOf(double, key);
      if (waiting) double.hands.decide(waiting.id, decision);
    },
    instructs: rowOf(id)?.flow === 'voucher' ? ['approvalUrl', 'paymentReference'] : ['approvalUrl'],
    returnUrl: (key) => {
      const begun = double.requests.find(
        (each) => operationIn(each) === key && each.body.includes('return_url'),
      );
      return new URLSearchParams(begun?.body).get('return_url') ?? '';
    },
    close: () => server.close(),
  };
}

const currencyOf = (currencies: readonly string[]): string =>
  currencies.includes('EUR') ? 'EUR' : (currencies[0] ?? 'EUR');

type Amounts = Readonly<Record<Verb, Readonly<Partial<Record<Decision, number>>>>>;

/** Stripe takes no payment of 10. A failure of a follow-up is arranged. */
const CARD_AMOUNTS: Amounts = {
  authorize: { approve: 1299, decline: 1299, fail: 10, later_approve: 1299, later_decline: 1299 },
  capture: { approve: 1299, fail: 1299 },
  refund: { approve: 1299, fail: 1299, later_approve: 1299 },
  void: { approve: 1299, fail: 1299 },
  cancel: { approve: 1299 },
  increase: { approve: 1299, fail: 1299 },
  reauthorize: {},
};

const BANK_AMOUNTS: Amounts = {
  authorize: { approve: 1299, decline: 1299 },
  capture: {},
  refund: { approve: 1299 },
  void: {},
  cancel: {},
  ...{ increase: {}, reauthorize: {} },
};

/** Amounts of methods that the buyer approves at a page. */
const ELSEWHERE_AMOUNTS: Amounts = {
  ...CARD_AMOUNTS,
  authorize: { approve: 1299, later_approve: 1299 },
  refund: { approve: 1299 },
};

const AMOUNTS: Readonly<Record<string, Amounts>> = { card: CARD_AMOUNTS, bank: BANK_AMOUNTS };

const ELSEWHERE = { card: null, capture: true, returnUrl: RETURN_URL };

const cardOf = (number: string) => ({ number, expirationDate: '03/30', securityCode: '737' });

/** A card whose issuer asks for 3-D Secure. */
export const ASKING_CARD = cardOf('4000000000003220');

function cardFor(decision: Decision, verb: Verb): Partial<AuthorizeRequest> {
  if (verb === 'refund') return decision === 'later_approve' ? { card: cardOf('4000000000007726') } : {};
  if (verb !== 'authorize') return {};
  switch (decision) {
    case 'decline':
      return { card: cardOf('4000000000009995') };
    case 'later_approve':
      return { card: ASKING_CARD, returnUrl: RETURN_URL };
    case 'later_decline':
      return { card: cardOf('4000008400001629'), returnUrl: RETURN_URL };
    default:
      return {};
  }
}

/** An account that pays, and one whose debit is declined. */
const ACCOUNTS: Readonly<Record<string, readonly [paying: string, declining: string]>> = {
  'stripe-sepa': ['DE89370400440532013000', 'DE65370400440002222227'],
  'stripe-ach': ['000123456789', '000222222227'],
  'stripe-bacs': ['00012345', '22222227'],
};

const ROUTING: Readonly<Record<string, string>> = { 'stripe-ach': '110000000', 'stripe-bacs': '108800' };

function accountFor(id: string, decision: Decision, verb: Verb): Partial<AuthorizeRequest> {
  const [paying = '', declining = ''] = ACCOUNTS[id] ?? [];
  const scheme = id.replace('stripe-', '') as BankDebit['scheme'];
  const bank: BankDebit = {
    ...{ scheme, accountNumber: verb === 'authorize' && decision === 'decline' ? declining : paying },
    ...{ routingNumber: ROUTING[id] ?? null, accountType: scheme === 'ach' ? 'checking' : null },
    accountHolder: { firstName: 'Ada', lastName: 'Lovelace', companyName: null },
    mandate: {
      ...{ reference: 'RENT-7', text: null, acceptedAt: '2026-01-02T03:04:05Z' },
      ...{ ipAddress: '203.0.113.7', userAgent: 'Firefox' },
    },
    requestedOn: '2026-11-24',
  };
  const buyer = { ...NOBODY, email: 'ada@example.com', billingAddress: ADDRESS };
  return { card: null, bank, buyer, capture: true };
}

const ADDRESS = {
  ...{ line1: 'High Street 5', houseNumberOrName: null, line2: null, city: 'London', postalCode: 'N1 9GU' },
  ...{ state: null, stateCode: null, country: 'GB', organization: null },
};

const MEANS: Readonly<Partial<Record<MeansFeature, ContractMeans>>> = {
  apple_pay: { wallet: { wallet: 'apple_pay', token: '{"version":"EC_v1","data":"YXBwbGUgcGF5"}' } },
  google_pay: { wallet: { wallet: 'google_pay', token: '{"id":"tok_visa","object":"token"}' } },
  network_tokens: { networkToken: NETWORK_TOKEN },
};

/** The operation of a request, by its key. A key with a colon belongs to a step of the operation. */
const operationIn = ({ headers }: StripeDouble['requests'][number]): string =>
  (headers['idempotency-key'] ?? '').split(':')[0] ?? '';

const MOVES_MONEY = /^\/v1\/(payment_intents|setup_intents|refunds)/;

const keysOf = ({ requests }: StripeDouble): readonly string[] =>
  requests.filter(({ method, path }) => method === 'POST' && MOVES_MONEY.test(path)).map(operationIn);

/** The statuses of a payment that an issuer or a bank has seen. A declined payment waits for other means. */
const SEEN = ['requires_payment_method', 'requires_capture', 'processing', 'succeeded'];

/**
 * Lists the operations with an effect, by the books. A release has no key there, so its first request names it. The end of an
 * abandoned payment is a step of the authorisation, without an effect.
 */
function doneOf(double: StripeDouble): readonly string[] {
  return double.books().payments.flatMap((payment) => {
    const { id, metadata, status, authorized, captures, increments, refunds } = payment;
    const release = double.requests.find(({ path }) => path === `/v1/payment_intents/${id}/cancel`);
    const operation = metadata['paygraph_operation'] ?? '';
    return [
      ...(authorized > 0 || SEEN.includes(status) ? [operation] : []),
      // A sale is captured under the key of its authorisation.
      ...[...captures, ...increments].flatMap(({ key }) => (key === null || key === operation ? [] : [key])),
      ...refunds.flatMap((refund) => refund.metadata['paygraph_operation'] ?? []),
      ...(status === 'canceled' && release && operationIn(release) !== operation
        ? [operationIn(release)]
        : []),
    ];
  });
}

const paymentOf = (double: StripeDouble, key: string) =>
  double.books().payments.find(({ metadata }) => metadata['paygraph_operation'] === key);

/** Changes a payment without the connector. */
function actBeside(double: StripeDouble, path: string, given: Given): void {
  void double.handle(requestTo(double, path, given));
}

/** Makes a sale without the connector. Returns its id. */
export async function payAt(double: StripeDouble): Promise<string> {
  const sale = { ...CARD_PAYMENT, metadata: { paygraph_operation: randomUUID() } };
  const answer = await double.handle(requestTo(double, '/v1/payment_intents', sale));
  return (JSON.parse(answer?.body ?? '') as { readonly id: string }).id;
}

const requestTo = ({ secretKey }: StripeDouble, path: string, given: Given) => ({
  ...{ method: 'POST', path, body: encodeForm(given) },
  headers: {
    ...{ authorization: `Bearer ${secretKey}`, 'stripe-version': API_VERSION },
    'content-type': 'application/x-www-form-urlencoded',
  },
});

/** Lets an authorisation expire, or fails a refund after its success. A capture stays. */
function takeBack(double: StripeDouble, verb: 'authorize' | 'capture' | 'refund', key: string): boolean {
  if (verb === 'authorize') {
    const payment = paymentOf(double, key);
    if (payment?.status !== 'requires_capture') return false;
    double.hands.expire(payment.id);
    return true;
  }
  const refund = double
    .books()
    .payments.flatMap(({ refunds }) => refunds)
    .find(({ metadata }) => metadata['paygraph_operation'] === key);
  if (verb === 'capture' || !refund) return false;
  double.hands.failRefund(refund.id);
  return true;
}
