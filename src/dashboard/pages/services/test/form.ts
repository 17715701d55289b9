import type { CreateTransactionInput } from '../../../../client/generated/schema.ts';
import { readMoney, typeMoney } from '../../../design/value.tsx';
import { hasFeature, type Service } from '../query.ts';

/** The amounts by which the sandbox chooses an outcome, in minor units. */
export const OUTCOMES = {
  approved: 1299,
  insufficient: 200_011,
  issuer: 200_012,
  expired: 200_005,
  fraud: 200_017,
  unreachable: 300_014,
  later: 600_001,
} as const;

export type OutcomeName = keyof typeof OUTCOMES;

/** The test cards. Those of 3-D Secure need a service that authenticates. */
const CARDS = {
  visa: '4111111111111111',
  mastercard: '5555555555554444',
  amex: '378282246310005',
  authenticated: '4111111111101203',
  challenged: '4111111111181072',
} as const;

export type CardName = keyof typeof CARDS;

/** The values of a test payment as a person types them. */
export type Values = {
  readonly outcome: OutcomeName;
  readonly amount: string;
  readonly currency: string;
  readonly country: string;
  readonly card: CardName;
  readonly intent: 'CAPTURE' | 'AUTHORIZE';
};

/** Tells whether the dashboard can test a service: a sandbox takes cards, and methods that the buyer approves. */
export const canTest = ({ active, method, definition }: Service): boolean =>
  active &&
  definition !== null &&
  definition.sandboxOnly &&
  (method === 'card' || (hasFeature(definition, 'delayed_capture') && hasFeature(definition, 'cancel')));

/** Returns the values of a new form. */
export function valuesFor({ acceptedCurrencies, acceptedCountries }: Service): Values {
  const currency = acceptedCurrencies[0] ?? 'EUR';
  return {
    outcome: 'approved',
    amount: typeMoney({ amount: OUTCOMES.approved, currency }),
    ...{ currency, country: acceptedCountries[0] ?? 'DE', card: 'visa', intent: 'CAPTURE' },
  };
}

/** Chooses an outcome or a currency. The amount follows, because the sandbox decides by it. */
export function chosen(values: Values, part: Partial<Pick<Values, 'outcome' | 'currency'>>): Values {
  const next = { ...values, ...part };
  return { ...next, amount: typeMoney({ amount: OUTCOMES[next.outcome], currency: next.currency }) };
}

/** Lists the outcomes that a service can have. Only some providers decide later. */
export const outcomesOf = ({ definition }: Service): readonly OutcomeName[] =>
  (Object.keys(OUTCOMES) as readonly OutcomeName[]).filter(
    (name) => name !== 'later' || (definition !== null && hasFeature(definition, 'sync')),
  );

/** Lists the cards that make a difference at a service. */
export const cardsOf = ({ threeDSecureEnabled }: Service): readonly CardName[] =>
  (Object.keys(CARDS) as readonly CardName[]).filter(
    (name) => threeDSecureEnabled || (name !== 'authenticated' && name !== 'challenged'),
  );

/** Translates the values for the API. Null while the amount is wrong. */
export function inputOf({ id, method }: Service, values: Values): CreateTransactionInput | null {
  const { currency, country, intent } = values;
  const amount = readMoney(values.amount, currency);
  if (amount === null) return null;
  const number = CARDS[values.card];
  const securityCode = values.card === 'amex' ? '1000' : '100';
  const shared = {
    amount,
    currency,
    country,
    intent,
    paymentServiceId: id,
    externalIdentifier: 'test-payment',
  };
  if (method === 'card')
    return { ...shared, paymentMethod: { card: { number, expirationDate: '12/40', securityCode } } };
  // The buyer comes back to the page of the service.
  const redirectUrl = new URL(`services/${id}`, document.baseURI).href;
  return { ...shared, paymentMethod: { redirect: { method } }, redirectUrl };
}
