import { describe, expect, it } from '@jest/globals';
import { isDescribed, requestFaults, responseFaults } from './description.ts';

const PAYMENTS = { method: 'POST', path: '/payments' };
const CARD = {
  type: 'scheme',
  number: '4111111111111111',
  expiryMonth: '03',
  expiryYear: '2030',
  cvc: '737',
};
const PAYMENT = {
  merchantAccount: 'TestMerchant',
  reference: '5c7a1f0e-0000-4000-8000-000000000001',
  amount: { value: 1299, currency: 'EUR' },
  paymentMethod: CARD,
  returnUrl: 'https://shop.example/return',
};

describe("Adyen's description", () => {
  it('knows the calls of the double', () => {
    expect(isDescribed(PAYMENTS)).toBe(true);
    expect(isDescribed({ method: 'POST', path: '/payments/8816118280275544/captures' })).toBe(true);
    expect(isDescribed({ method: 'GET', path: '/payments/8816118280275544' })).toBe(false);
  });

  it('accepts a payment by card, by token, by iDEAL and by SEPA', () => {
    const methods = [
      CARD,
      { type: 'scheme', storedPaymentMethodId: 'M5N7TQ4TG5PFWR50' },
      { type: 'scheme', encryptedCardNumber: 'adyenjs_0_1_x', encryptedExpiryMonth: 'adyenjs_0_1_x' },
      { type: 'ideal' },
      { type: 'sepadirectdebit', iban: 'NL13TEST0123456789', ownerName: 'A. Klaassen' },
    ];

    for (const paymentMethod of methods)
      expect(requestFaults(PAYMENTS, { ...PAYMENT, paymentMethod })).toEqual([]);
  });

  it.each([
    ['an unknown field', { ...PAYMENT, refrence: 'x' }, '', 'additionalProperties', 'refrence'],
    [
      'an unknown field of the card',
      { ...PAYMENT, paymentMethod: { ...CARD, cvv: '737' } },
      '/paymentMethod',
      'additionalProperties',
      'cvv',
    ],
    [
      'a fraction of the minor unit',
      { ...PAYMENT, amount: { value: 12.99, currency: 'EUR' } },
      '/amount/value',
      'type',
      null,
    ],
    ['an unknown word', { ...PAYMENT, shopperInteraction: 'MOTO' }, '/shopperInteraction', 'enum', null],
    ['no return address', { ...PAYMENT, returnUrl: undefined }, '', 'required', 'returnUrl'],
    [
      'a number as the month',
      { ...PAYMENT, paymentMethod: { ...CARD, expiryMonth: 3 } },
      '/paymentMethod/expiryMonth',
      'type',
      null,
    ],
  ] as const)('refuses %s', (_, body, at, rule, field) => {
    const [fault, ...others] = requestFaults(PAYMENTS, JSON.parse(JSON.stringify(body)));

    expect(fault).toMatchObject({ at, rule, field });
    expect(others.filter((other) => other.at !== at)).toEqual([]);
  });

  it('accepts only the described answers', () => {
    expect(responseFaults(PAYMENTS, 200, { resultCode: 'Authorised', pspReference: 'x' })).toEqual([]);
    expect(responseFaults(PAYMENTS, 200, { resultCode: 'Done' })).toMatchObject([{ at: '/resultCode' }]);
    expect(responseFaults(PAYMENTS, 204, {})).toMatchObject([{ rule: 'status' }]);
  });
});
