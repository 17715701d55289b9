import type { AuthorizeRequest, Verb } from '../../../src/connectors/interface/requests.ts';
import { braintree } from '../../../src/connectors/braintree/index.ts';
import { namesIn } from '../../../src/connectors/braintree/names.ts';
import { DOUBLE_FAULTS, doubleFaults } from '../contract-faults.ts';
import type { ContractProvider, Decision, Subject } from '../contract-provider.ts';
import { sentTo, type DoubleRequest } from '../double-server.ts';
import { createBraintreeDouble, keyIn, READ, WORK, type BraintreeDoubleSettings } from './double.ts';
import { fieldsOf } from './start.ts';
import { had, type Transaction } from './world.ts';

/** Braintree, as the suites of the contract see it. */
export const braintreeSubject = (settings: BraintreeDoubleSettings = {}): Subject => ({
  name: `its double ${JSON.stringify(settings)}`,
  connector: braintree,
  faults: DOUBLE_FAULTS,
  manner: () => ({
    // A request that Braintree refuses before it works leaves nothing behind.
    forgets: ['fail'],
    keepsPayments: true,
    // Webhooks tell settlements and disputes alone.
    isSilent: true,
    // Braintree decides each payment at once.
    needsNothing: ['cancel'],
  }),
  start: (_, now) => startDouble(settings, now),
});

async function startDouble(
  settings: BraintreeDoubleSettings,
  now = (): Date => new Date(),
): Promise<ContractProvider> {
  const double = createBraintreeDouble({ ...settings, now });
  const server = await double.listen();
  return {
    credentials: fieldsOf(double),
    via: (http) => sentTo(http, server.url),
    now,
    money: (verb, decision) => {
      const amount = AMOUNTS[verb][decision];
      return amount === undefined ? null : { amount, currency: 'USD' };
    },
    pays: (decision, verb) => (verb === 'authorize' && decision === 'fail' ? UNKNOWN_NAME : {}),
    means: () => ({ token: double.hands.clientToken(CARD) }),
    arrange: (verb, decision, { reference }) => {
      const field = FIELDS[verb];
      if (field && decision === 'fail') double.hands.refuse(field, reference, '91507');
      if (verb === 'refund' && decision === 'decline') double.hands.declineRefund('2046');
    },
    elsewhere: {
      capture: (payment, amount) => double.hands.capture(payment, amount),
      refund: (payment, amount) => double.hands.refund(payment, amount),
      void: (payment) => double.hands.void(payment),
    },
    failNext: (...faults) => double.failNext(doubleFaults(faults), WORK),
    failNextRead: (...faults) => double.failNext(doubleFaults(faults), READ),
    release: () => double.release(),
    keys: () => double.requests.filter(isWork).map(({ body }) => keyIn(body)),
    done: () => double.transactions().flatMap(doneBy),
    finish: () => double.hands.settleAll(),
    close: () => server.close(),
  };
}

const CARD = { number: '4111111111111111', month: '03', year: '2030', hasCvv: true };

/** A name that Braintree never gave. */
const UNKNOWN_NAME: Partial<AuthorizeRequest> = { card: null, token: 'tokencc_bf_unknown' };

const isWork = ({ method, path }: DoubleRequest): boolean => WORK.test(`${method} ${path}`);

const AMOUNTS: Readonly<Record<Verb, Readonly<Partial<Record<Decision, number>>>>> = {
  // The issuer declines 2046 dollars.
  authorize: { approve: 1299, decline: 204_600, fail: 1299 },
  capture: { approve: 1299, fail: 1299 },
  refund: { approve: 1299, decline: 1299, fail: 1299 },
  void: { approve: 1299, fail: 1299 },
  cancel: {},
  increase: {},
  reauthorize: {},
};

const FIELDS: Readonly<Partial<Record<Verb, string>>> = {
  ...{ capture: 'captureTransaction', refund: 'refundTransaction', void: 'reverseTransaction' },
};

/** Lists the operations of a transaction with an effect, by the books of the double. A declined payment or refund is one. */
function doneBy(transaction: Transaction): readonly string[] {
  const { key, parent, orderId, capturedBy, reversedBy, refunds } = transaction;
  const isPaid = had(transaction, 'AUTHORIZED') || had(transaction, 'PROCESSOR_DECLINED');
  return [
    ...(parent === null && isPaid && namesIn(orderId).key === key ? [key] : []),
    ...[capturedBy, reversedBy],
    ...refunds.map((made) => made.key),
  ].flatMap((each) => each ?? []);
}
