import { describe, expect, it } from '@jest/globals';
import type { KnownCard } from '../../src/connectors/interface/outcome.ts';
import type { PaymentMethod } from '../../src/modules/payment-methods/index.ts';
import { replaceCard } from '../../src/modules/payment-methods/reported/replace-card.ts';

const CARD = {
  ...{ instrumentType: 'pan', scheme: 'visa', additionalSchemes: ['mastercard'], bin: '41111111' },
  ...{ lastFour: '1111', label: '1111', expirationDate: '12/30', fingerprint: 'digest' },
} as unknown as PaymentMethod;

const NOTHING: KnownCard = { scheme: null, bin: null, lastFour: null, expirationDate: null };

/** Returns the fields that change. */
function changed(before: Partial<PaymentMethod>, card: Partial<KnownCard>): Partial<PaymentMethod> | null {
  const given = { ...CARD, ...before };
  const after = replaceCard(given, { ...NOTHING, ...card });
  if (!after) return null;
  const names = Object.keys(after) as (keyof PaymentMethod)[];
  return Object.fromEntries(
    names.filter((name) => after[name] !== given[name]).map((name) => [name, after[name]]),
  );
}

const SAME_SCHEME = { bin: null, lastFour: '0004', label: '0004', additionalSchemes: [] };
const NEW_NUMBER = { ...SAME_SCHEME, scheme: 'mastercard' };

describe('a card that its provider reports', () => {
  it.each<[string, Partial<PaymentMethod>, Partial<KnownCard>, Partial<PaymentMethod> | null]>([
    ['the same', {}, { lastFour: '1111', expirationDate: '12/30', scheme: 'visa' }, null],
    ['nothing', {}, {}, null],
    ['a new date', {}, { lastFour: '1111', expirationDate: '12/34' }, { expirationDate: '12/34' }],
    ['a date alone', {}, { expirationDate: '12/34' }, { expirationDate: '12/34' }],
    ['another scheme of the same number', {}, { lastFour: '1111', scheme: 'carte_bancaire' }, null],
    [
      'a new number',
      {},
      { lastFour: '0004', scheme: 'mastercard', expirationDate: '12/34' },
      { ...NEW_NUMBER, instrumentType: 'card_token', fingerprint: null, expirationDate: '12/34' },
    ],
    [
      'a new number alone',
      {},
      { lastFour: '0004' },
      { ...SAME_SCHEME, instrumentType: 'card_token', fingerprint: null },
    ],
    [
      'a new number of a card token',
      { instrumentType: 'card_token', fingerprint: null },
      { lastFour: '0004', scheme: 'mastercard', bin: '555555' },
      { ...NEW_NUMBER, bin: '555555' },
    ],
    [
      'the card of a token that no payment told',
      { instrumentType: 'card_token', scheme: null, bin: null, lastFour: null, label: null },
      { lastFour: '0004', scheme: 'mastercard', bin: '555555' },
      { scheme: 'mastercard', bin: '555555', lastFour: '0004', label: '0004' },
    ],
    [
      'a new date of the card behind a network token',
      { instrumentType: 'network_token' },
      { expirationDate: '12/34' },
      null,
    ],
    [
      'a new number of the card behind a network token',
      { instrumentType: 'network_token' },
      { lastFour: '0004', scheme: 'mastercard', expirationDate: '12/34' },
      NEW_NUMBER,
    ],
    [
      'a card for a bank account',
      { instrumentType: 'bank' },
      { lastFour: '0004', expirationDate: '12/34' },
      null,
    ],
  ])('as %s', (_, before, card, expected) => {
    expect(changed(before, card)).toEqual(expected);
  });
});
