import { describe, expect, it } from '@jest/globals';
import { adyenBuyer } from '../../../src/connectors/adyen/buyer.ts';
import { hasNeeds } from '../../../src/connectors/buyer/has-needs.ts';
import { impossibleBy } from '../../../src/connectors/buyer/judge-method.ts';
import { missingFor, type PaymentNeed } from '../../../src/connectors/buyer/needs.ts';
import type { PayingBuyer } from '../../../src/connectors/interface/requests.ts';
import { stripeBuyer } from '../../../src/connectors/stripe/model/buyer.ts';
import { orderWith } from '../kit/orders.ts';
import { buyerIn } from '../kit/whole-buyer.ts';

const PROFILES = [
  ['Adyen', adyenBuyer],
  ['Stripe', stripeBuyer],
  ['a provider without rules', undefined],
] as const;

it.each(PROFILES)('an address that lacks a part is none for %s', (_, buyer) => {
  const definition = { needs: ['billingAddress'] as const, ...(buyer && { buyer }) };
  const hasAddress = (country: string, changes: object): boolean => {
    const whole = buyerIn(country);
    const billingAddress = whole.billingAddress && { ...whole.billingAddress, ...changes };
    return hasNeeds(definition, { buyer: { ...whole, billingAddress }, order: null });
  };

  expect(hasAddress('BR', {})).toBe(true);
  for (const part of ['city', 'postalCode', 'country'])
    expect(hasAddress('BR', { [part]: null })).toBe(false);
  expect(hasAddress('BR', { line1: null, houseNumberOrName: null })).toBe(false);
  // Hong Kong has no postal codes.
  expect(hasAddress('HK', { postalCode: null })).toBe(true);
});

it.each<[PaymentNeed, Partial<PayingBuyer>, boolean]>([
  ['firstName', { lastName: null }, true],
  ['firstName', { firstName: null }, false],
  ['lastName', { firstName: null }, true],
  ['lastName', { lastName: null }, false],
  ['name', { lastName: null }, true],
  ['name', { firstName: null }, true],
  ['name', { firstName: null, lastName: null }, false],
])('a need of %s for a buyer with %j is met: %s', (need, changes, isMet) => {
  const buyer = { ...buyerIn('DE'), ...changes };
  expect(hasNeeds({ needs: [need] }, { buyer, order: null })).toBe(isMet);
});

it.each([
  ['an order that makes the amount', orderWith(), true],
  ['totals without lines', orderWith({ lines: [] }), false],
  ['lines without totals', orderWith({ totals: null }), false],
  ['nothing', null, false],
])('a need of a cart with %s is met: %s', (_, order, isMet) => {
  expect(hasNeeds({ needs: ['cartItems'] }, { buyer: buyerIn('DE'), order })).toBe(isMet);
});

const JUDGE = { provider: 'Acme', fillers: {} };

it('a refusal names all missing data, with the code of the first', () => {
  const data = { buyer: { ...buyerIn('DE'), firstName: null, email: null, shipping: null }, order: null };
  const needs: readonly PaymentNeed[] = ['phone', 'shippingAddress', 'firstName', 'email'];

  expect(missingFor(needs, data, JUDGE)).toEqual({
    errorCode: 'missing_shipping_address',
    sentence:
      "Acme needs the name and the address of the receiver, the buyer's first name and the buyer's email address for this " +
      'payment method. Give shippingDetails with a name, and line1, city, postalCode and country of its address; ' +
      'buyer.billingDetails.firstName; buyer.billingDetails.emailAddress.',
  });
  expect(missingFor(['phone'], data, JUDGE)).toBeNull();
});

describe('a method', () => {
  const payment = {
    ...{ money: { amount: 1250, currency: 'HUF' }, isRepeat: false },
    ...{ buyer: { ...buyerIn('HU'), email: null }, order: null },
  };
  const whole = { amounts: { HUF: { decimals: 0 } }, needs: [] };

  it('takes no amount that it cannot express, also not on a repeat', () => {
    for (const isRepeat of [false, true])
      expect(impossibleBy(whole, { ...payment, isRepeat }, JUDGE)).toMatchObject({
        errorCode: 'invalid_amount',
      });
    expect(impossibleBy({ ...whole, amounts: {} }, payment, JUDGE)).toBeNull();
  });

  it('asks for its data, but not on a repeat', () => {
    const asking = { amounts: {}, needs: ['email'] as const };
    expect(impossibleBy(asking, payment, JUDGE)).toMatchObject({
      ...{ errorCode: 'invalid_request_parameters', sentence: expect.stringContaining('Acme needs') },
    });
    expect(impossibleBy(asking, { ...payment, isRepeat: true }, JUDGE)).toBeNull();
  });
});
