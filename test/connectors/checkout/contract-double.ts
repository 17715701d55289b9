import type { AuthorizeRequest, Verb } from '../../../src/connectors/interface/requests.ts';
import { checkout } from '../../../src/connectors/checkout/index.ts';
import { CARD, RETURN_URL } from '../contract-calls.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../contract-faults.ts';
import type {
  ContractMeans,
  ContractProvider,
  Decision,
  MeansFeature,
  Subject,
} from '../contract-provider.ts';
import { sentTo, type DoubleRequest } from '../double-server.ts';
import type { BookedPayment } from './books.ts';
import { createCheckoutDouble, type CheckoutDouble, type CheckoutDoubleSettings } from './double.ts';
import { PAGE_MS } from './payments.ts';

/** The calls that move money. */
const WORK = /^POST \/payments/;

/** The calls that move money, and the reading of a payment after the buyer's return. A change reads the actions first. */
const WORK_OR_RETURN = /^(POST \/payments|GET \/payments\/\w+$)/;

/** Checkout.com, as the suites of the contract see it. */
export const checkoutSubject = (settings: CheckoutDoubleSettings = {}): Subject => ({
  name: `its double ${JSON.stringify(settings)}`,
  connector: checkout,
  faults: DOUBLE_FAULTS,
  manner: () => ({
    receives: ['capture', 'refund', 'void'],
    hidesOpen: settings.listsPending ? [] : ['capture', 'refund', 'void'],
    // A request that Checkout.com refuses before it works leaves nothing behind.
    forgets: ['fail'],
    keepsPayments: true,
    returns: true,
    // Checkout.com itself ends a payment whose buyer is at its page, and nobody can end the payment earlier.
    needsNothing: ['cancel'],
  }),
  start: (_, now) => startDouble(settings, now),
});

async function startDouble(
  settings: CheckoutDoubleSettings,
  givenNow = (): Date => new Date(),
): Promise<ContractProvider> {
  let passedMs = 0;
  const now = (): Date => new Date(givenNow().getTime() + passedMs);
  const double = createCheckoutDouble({ ...settings, now });
  const server = await double.listen();
  return {
    credentials: credentialsOf(double),
    via: (http) => sentTo(http, server.url),
    now,
    money: (verb, decision) => {
      const currency = decision === 'fail' ? NOT_TAKEN : 'EUR';
      return DECISIONS[verb].includes(decision) ? { amount: 1299, currency } : null;
    },
    pays: (decision, verb) => (verb === 'authorize' ? (PAYS[decision] ?? {}) : {}),
    leaves: () => ({ card: CARD, authentication: 'always' }),
    means: (feature) => meansOf(double, feature),
    arrange: (verb, decision) => {
      const type = TYPES[verb];
      if (type && decision === 'decline') double.hands.answerNext(type, '20005');
    },
    elsewhere: {
      capture: (payment, amount) => void double.elsewhere.capture(payment, amount),
      refund: (payment, amount) => double.elsewhere.refund(payment, amount),
      void: (payment) => void double.elsewhere.void(payment),
    },
    failNext: (...faults) => double.failNext(doubleFaults(faults), WORK_OR_RETURN),
    failNextRead: (...faults) => double.failNext(doubleFaults(faults), /^GET /),
    release: () => double.release(),
    keys: () => double.requests.filter(isWork).map(keyIn),
    done: () => double.books().flatMap(doneBy),
    finish: () => {
      double.hands.decideOpen();
      for (const { id, status } of double.books())
        if (status === 'Pending') double.hands.decide(id, 'approve');
    },
    webhooks: () => double.webhooks(),
    takeBack: (verb, key) => {
      const payment = paymentOf(double, key);
      if (verb !== 'authorize' || !payment) return false;
      double.hands.expire(payment.id);
      return true;
    },
    letTimePass: () => void (passedMs += PAGE_MS),
    letWorkAppear: () => {
      passedMs += double.searchLagMs;
      double.hands.decideOpen();
    },
    returned: (decision, key) => {
      const away = decision === 'nothing' ? undefined : paymentOf(double, key);
      const address = away && decision !== 'nothing' ? double.hands.decide(away.id, decision) : null;
      return Object.fromEntries(new URL(address ?? RETURN_URL).searchParams);
    },
    returnUrl: (key) => {
      const begun = double.requests.find((each) => isWork(each) && keyIn(each) === key);
      return (JSON.parse(begun?.body ?? '{}') as { readonly success_url?: string }).success_url ?? '';
    },
    close: () => server.close(),
  };
}

/** Returns the fields of a payment service at a double. */
export const credentialsOf = ({ secretKey, publicKey, signatureKey, channel }: CheckoutDouble) => ({
  ...{ secret_key: secretKey, public_key: publicKey, signature_key: signatureKey },
  ...{ processing_channel_id: channel, raw_card_data: 'true' },
});

/** A currency that the account at the double does not take. */
const NOT_TAKEN = 'VES';

const DECISIONS: Readonly<Record<Verb, readonly Decision[]>> = {
  authorize: ['approve', 'decline', 'fail', 'later_approve'],
  capture: ['approve', 'decline'],
  refund: ['approve', 'decline'],
  void: ['approve', 'decline'],
  ...{ cancel: [], increase: [], reauthorize: [] },
};

const TYPES: Readonly<Partial<Record<Verb, 'Capture' | 'Refund' | 'Void'>>> = {
  ...{ capture: 'Capture', refund: 'Refund', void: 'Void' },
};

const cardOf = (number: string) => ({ number, expirationDate: '03/30', securityCode: '100' });

const PAYS: Readonly<Partial<Record<Decision, Partial<AuthorizeRequest>>>> = {
  decline: { card: cardOf('4000000000009995') },
  later_approve: { authentication: 'always', returnUrl: RETURN_URL },
};

const MEANS: Readonly<Partial<Record<MeansFeature, ContractMeans>>> = {
  apple_pay: { wallet: { wallet: 'apple_pay', token: '{"version":"EC_v1","data":"YXBwbGUgcGF5"}' } },
  google_pay: {
    wallet: {
      wallet: 'google_pay',
      token: '{"signature":"Z29vZ2xlIHBheQ==","signedMessage":"bWVzc2FnZQ=="}',
    },
  },
};

/** Returns means of a feature. A token of the buyer's client is one of a wallet here, because no client runs. */
function meansOf(double: CheckoutDouble, feature: MeansFeature): ContractMeans {
  return MEANS[feature] ?? { token: double.hands.clientToken() };
}

const isWork = ({ method, path }: DoubleRequest): boolean => WORK.test(`${method} ${path}`);

const keyIn = ({ headers }: DoubleRequest): string => headers['cko-idempotency-key'] ?? '';

const paymentOf = (double: CheckoutDouble, key: string) =>
  double.books().find((payment) => payment.key === key);

/** The code of a payment whose buyer did not finish in time. */
const LEFT = '20152';

/**
 * Lists the operations of a payment with an effect. A payment that waits for its buyer, or that nobody finished, has none. A buyer's
 * refusal is one, without an action.
 */
const doneBy = ({ key, status, actions }: BookedPayment): readonly string[] =>
  actions.length === 0 && key !== null && status === 'Declined'
    ? [key]
    : actions.flatMap((action) => (action.key === null || action.code === LEFT ? [] : [action.key]));
