import { describe, expect, it } from '@jest/globals';
import type { AuthorizeRequest } from '../../../src/connectors/interface/requests.ts';
import { stripeDefinitions } from '../../../src/connectors/stripe/model/definitions.ts';
import { cardOptionsToWire } from '../../../src/connectors/stripe/wire/card-options-wire.ts';
import { setupIntentToWire } from '../../../src/connectors/stripe/wire/intent-wire.ts';
import { ALONE, authorization } from './objects.ts';

const THREE_D_SECURE = {
  ...{ version: '2.2.0', eci: '05', cavv: 'AAABBBCCC=', directoryResponse: 'Y' },
  ...{ authenticationResponse: null, directoryTransactionId: 'ds-1' },
  ...{ xid: null, cavvAlgorithm: null, scheme: 'visa' },
};

/** The options of a payment, and those of a payment of nothing. */
function optionsOf(changes: Partial<AuthorizeRequest>): unknown[] {
  const request = authorization(changes);
  const definition = stripeDefinitions.find(({ id }) => id === 'stripe-card');
  if (!definition) throw new Error('No definition of cards');
  const means = { customer: null, paymentMethod: 'pm_1', data: null };
  const setup = setupIntentToWire({ request, means, context: { definition, credentials: {} } });
  const payment = cardOptionsToWire(request, {});
  return [payment.payment_method_options?.card, setup.payment_method_options?.card];
}

/** The word of a payment, and that of a payment of nothing. */
const wordsOf = (changes: Partial<AuthorizeRequest>): unknown[] => optionsOf(changes).map(wordOf);

const wordOf = (card: unknown): unknown =>
  typeof card === 'object' && card !== null && 'request_three_d_secure' in card
    ? card.request_three_d_secure
    : undefined;

describe('3-D Secure of Stripe', () => {
  it.each([
    ['always', 'any'],
    ['never', undefined],
    ['automatic', undefined],
  ] as const)('is asked for by the wish %s with %s', (authentication, word) => {
    expect(wordsOf({ authentication })).toEqual([word, word]);
  });

  it.each([
    ['by telephone', { series: { ...ALONE, source: 'moto' } }],
    ['of the merchant', { series: { ...ALONE, source: 'recurring', merchantInitiated: true } }],
    ['with an authentication from elsewhere', { threeDSecure: THREE_D_SECURE }],
  ] as const)('is not asked for in a payment %s', (_, changes) => {
    expect(wordsOf({ authentication: 'always', ...changes })).toEqual([undefined, undefined]);
  });
});

describe('the network that the buyer chose', () => {
  it.each([
    ['carte_bancaire', { network: 'cartes_bancaires' }],
    ['eftpos_australia', { network: 'eftpos_au' }],
    ['bancontact', undefined],
    [null, undefined],
  ])('%s is %j in a payment, and in a payment of nothing', (cardNetwork, options) => {
    expect(optionsOf({ cardNetwork, capture: true })).toEqual([options, options]);
  });
});
