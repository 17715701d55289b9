import { expect, it } from '@jest/globals';
import { adyenBuyer } from '../../../src/connectors/adyen/buyer.ts';
import { hasNeeds } from '../../../src/connectors/buyer/has-needs.ts';
import { stripeBuyer } from '../../../src/connectors/stripe/model/buyer.ts';
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
    return hasNeeds(definition, { ...whole, billingAddress });
  };

  expect(hasAddress('BR', {})).toBe(true);
  for (const part of ['city', 'postalCode', 'country'])
    expect(hasAddress('BR', { [part]: null })).toBe(false);
  expect(hasAddress('BR', { line1: null, houseNumberOrName: null })).toBe(false);
  // Hong Kong has no postal codes.
  expect(hasAddress('HK', { postalCode: null })).toBe(true);
});
