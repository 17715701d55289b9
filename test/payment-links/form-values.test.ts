import { expect, test } from '@jest/globals';
import { readForm } from '../../src/http/checkout/submission.ts';

const EVIDENCE = { reference: 'M1', now: new Date(0), ipAddress: null, userAgent: null };

const read = (name: string) => {
  const form = readForm(new URLSearchParams({ method: 'card', number: '', name }), {
    asksName: true,
    giftCards: { payingCards: [] },
    mandate: null,
  });
  return {
    shown: form.values.name,
    buyer: form.submission({ redirectUrl: 'https://shop.example', evidence: EVIDENCE }).buyer,
  };
};

test('keeps the name of the payer', () => {
  expect(read('Ann Lee')).toEqual({ shown: 'Ann Lee', buyer: { displayName: 'Ann Lee' } });
});

test.each(['4111111111111111', '4111 1111 1111 1111', 'Ann 4111-1111-1111-1111'])(
  'takes %s in the field of the name for an empty name, and never shows the number',
  (name) => {
    expect(read(name)).toEqual({ shown: '', buyer: { displayName: '' } });
  },
);

test.each([
  ['378282246310005', '1234', '1234'],
  ['3782 822463 10005', '123', ''],
  ['4111 1111 1111 1111', '123', '123'],
  ['4111111111111111', '1234', ''],
  ['5555555555554444', '12', ''],
  // Some schemes are not known by their first digits.
  ['6212345678901232', '1234', '1234'],
])('takes for the number %s the security code %s as "%s"', (number, code, taken) => {
  const form = readForm(new URLSearchParams({ method: 'card', number, security_code: code }), {
    asksName: false,
    giftCards: { payingCards: [] },
    mandate: null,
  });
  const { paymentMethod } = form.submission({ redirectUrl: 'https://shop.example', evidence: EVIDENCE });

  expect(paymentMethod).toMatchObject({ card: { securityCode: taken } });
});
