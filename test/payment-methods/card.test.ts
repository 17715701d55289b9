import { describe, expect, it } from '@jest/globals';
import { cardFacts, isExpired } from '../../src/modules/payment-methods/model/card.ts';

describe('a card', () => {
  it.each([
    ['4111111111111111', 'visa'],
    ['5200000000001203', 'mastercard'],
    ['340000000022003', 'amex'],
    ['3558111111121203', 'jcb'],
    ['8171998927611203', 'unionpay'],
    ['30569309025904', 'diners_club'],
    ['9000100111111111', null],
  ])('%s is of scheme %s', (number, scheme) => {
    expect(cardFacts(number)).toEqual({ scheme, bin: number.slice(0, 8), lastFour: number.slice(-4) });
  });

  it.each([
    ['03/30', '2030-03-31T23:59:59.999Z', false],
    ['03/30', '2030-04-01T00:00:00.000Z', true],
    ['12/29', '2029-12-31T00:00:00.000Z', false],
    ['12/29', '2030-01-01T00:00:00.000Z', true],
  ])('of %s at %s has expired: %s', (date, moment, expired) => {
    expect(isExpired(date, new Date(moment))).toBe(expired);
  });
});
