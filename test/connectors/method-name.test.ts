import { describe, expect, it } from '@jest/globals';
import { isMethod, isRedirectMethod } from '../../src/connectors/codes/method-name.ts';
import {
  ADD_GIFT_CARD,
  APPLE_PAY,
  GIFT_CARDS_ALONE,
  GOOGLE_PAY,
  REMOVE_GIFT_CARD,
} from '../../src/http/checkout/submission.ts';
import { CARD_METHODS } from '../../src/modules/payment-services/index.ts';

describe('the name of a method', () => {
  it.each([...CARD_METHODS])('is none that services of cards take: %s', (method) => {
    expect(isMethod(method)).toBe(false);
  });

  it.each([ADD_GIFT_CARD, APPLE_PAY, GIFT_CARDS_ALONE, GOOGLE_PAY, REMOVE_GIFT_CARD])(
    'is no redirect under a word of the form of the payment page: %s',
    (method) => {
      expect(isRedirectMethod(method)).toBe(false);
    },
  );

  it.each(Object.getOwnPropertyNames(Object.prototype))('is no key of every object: %s', (method) => {
    expect(isMethod(method)).toBe(false);
  });

  it.each(['twint', 'mb_way', 'a-b-2'])('may be %s', (method) => {
    expect([isMethod(method), isRedirectMethod(method)]).toEqual([true, true]);
  });
});
