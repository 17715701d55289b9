import { randomUUID } from 'node:crypto';
import type { ConnectorCall } from '../../src/connectors/calls/call.ts';
import type { AuthorizeRequest, RefundedCapture, Verb } from '../../src/connectors/interface/requests.ts';
import type { Money } from '../../src/kernel/money.ts';
import { NO_TIMING, type HttpClient } from '../../src/platform/http/http-client.ts';
import { orderOf } from './kit/orders.ts';

/** The card that pays by default. */
export const CARD = { number: '4111111111111111', expirationDate: '03/30', securityCode: '737' };

/** A payment without stored data. */
const ALONE = {
  store: false,
  tokenizes: false,
  source: 'ecommerce',
  merchantInitiated: false,
  isSubsequentPayment: false,
  schemeTransactionId: null,
} as const;

/** A payer without any details. */
const NOBODY = {
  ...{ reference: null, firstName: null, lastName: null, email: null, phone: null },
  ...{ billingAddress: null, taxId: null, shipping: null },
};

/** An authorisation of a card, without further facts. */
const PAYMENT = {
  card: CARD,
  bank: null,
  token: null,
  series: ALONE,
  wallet: null,
  networkToken: null,
  merchantProfile: null,
  approvalPage: null,
  integrationClient: null,
  threeDSecure: null,
  authentication: 'automatic',
  isRepeat: false,
  installmentCount: null,
  cardNetwork: null,
  statementDescriptor: null,
  order: null,
  capture: false,
  returnUrl: null,
  notifyUrl: null,
  merchantReference: 'order-7',
  country: null,
  buyer: NOBODY,
  ipAddress: null,
  browserInfo: null,
  options: null,
} as const satisfies Omit<AuthorizeRequest, 'key' | 'money'>;

/** The address to which the provider sends the buyer back. */
export const RETURN_URL = 'https://paygraph.example/return/0123456789abcdef0123456789abcdef';

/** The payment that a follow-up is about, as the core knows it. */
export type Paid = {
  readonly reference: string;
  /** The authorised amount, in minor units. */
  readonly authorized: number;
  /** The key and the reference of the authorisation, for a cancel. */
  readonly authorizationKey: string;
  readonly authorizationReference: string | null;
  /** Null stands for two captures from before, one of them of one minor unit. */
  readonly capture: Omit<RefundedCapture, 'amount'> | null;
};

/** A payment at a provider that does not know its payments. */
export const somePayment = (): Paid => ({
  reference: 'pay_of_the_contract',
  authorized: 1099,
  authorizationKey: randomUUID(),
  authorizationReference: null,
  capture: null,
});

export const authorization = (money: Money, pays: Partial<AuthorizeRequest> = {}) =>
  ({ verb: 'authorize', key: randomUUID(), money, ...PAYMENT, ...pays }) as const;

/** Builds a new request of a verb. */
export function callOf(
  verb: Verb,
  money: Money,
  { paid, pays }: { readonly paid: Paid; readonly pays: Partial<AuthorizeRequest> },
): ConnectorCall {
  const given = { key: randomUUID(), money };
  const { reference } = paid;
  switch (verb) {
    case 'authorize':
      return authorization(money, { order: orderOf(money), ...pays });
    case 'cancel':
      return {
        ...{ verb, ...given, authorizationKey: paid.authorizationKey, createdAt: new Date() },
        resuming: false,
        reference: paid.authorizationReference,
      };
    case 'capture':
      return { verb, ...given, reference, final: true };
    case 'refund':
      return { verb, ...given, reference, captures: capturesOf(money, paid) };
    case 'increase':
      return { verb, ...given, reference, total: { ...money, amount: money.amount + paid.authorized } };
    default:
      return { verb, ...given, reference };
  }
}

const capturesOf = ({ amount }: Money, { capture }: Paid): readonly RefundedCapture[] =>
  capture
    ? [{ ...capture, amount }]
    : [1, amount - 1].map((part) => ({
        key: randomUUID(),
        reference: `cap_${randomUUID()}`,
        amount: part,
      }));

/** Returns the request as recovery sends it. No security code and no cryptogram is ever stored. */
export const withoutSecurityCode = (requested: ConnectorCall): ConnectorCall =>
  requested.verb === 'authorize'
    ? {
        ...requested,
        isRepeat: true,
        card: requested.card && { ...requested.card, securityCode: null },
        networkToken: requested.networkToken && { ...requested.networkToken, cryptogram: null },
      }
    : { ...requested, isRepeat: true };

/** A client of a network without any answer. */
export const AWAY: Pick<HttpClient, 'send'> = {
  send: () =>
    Promise.resolve({
      failure: { kind: 'connection_refused', sent: false, durationMs: 0, timing: NO_TIMING },
    }),
};
