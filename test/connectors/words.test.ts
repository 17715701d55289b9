import { describe, expect, it } from '@jest/globals';
import type { Outcome } from '../../src/connectors/outcome.ts';
import { cleanOutcome } from '../../src/connectors/words.ts';

const GIVEN = { cardNumber: '4111111111111111', securityCode: '737', credentials: ['sk_live_1234', 'x'] };

const declined = (said: string, reference: string | null = 'pay_1'): Outcome => ({
  kind: 'declined',
  reference,
  errorCode: said,
  rawResponseCode: said,
  rawResponseDescription: said,
  authResponseCode: said,
});

/** Returns the cleaned form of a text in a code and in a description. */
function tidied(said: string): { code: unknown; description: unknown } {
  const outcome = cleanOutcome(declined(said), GIVEN);
  if (outcome.kind !== 'declined') throw new Error('Not declined');
  expect([outcome.errorCode, outcome.authResponseCode]).toEqual([
    outcome.rawResponseCode,
    outcome.rawResponseCode,
  ]);
  return { code: outcome.rawResponseCode, description: outcome.rawResponseDescription };
}

describe("a provider's words", () => {
  it.each([
    ['words without a secret', 'insufficient_funds', 'insufficient_funds', 'insufficient_funds'],
    ['a card number', 'card 4111111111111111 is lost', 'card … is lost', 'card … is lost'],
    ['a card number written apart', '4111 1111-1111 1111', '…', '…'],
    ['a credential', 'bad key sk_live_1234.', 'bad key ….', 'bad key ….'],
    ['a code that is a security code by chance', '737', '737', '…'],
    ['a security code beside the card', '4111111111111111/737', '…/…', '…/…'],
    ['a longer number with a security code in it', 'request 17370', 'request 17370', 'request 17370'],
    ['control characters', 'a\u0000b\nc', 'a b c', 'a b c'],
    ['half a character', 'a\ud800', 'a\ufffd', 'a\ufffd'],
  ])(
    'are shown without secrets and without characters that cannot be stored: %s',
    (_what, said, code, description) => {
      expect(tidied(said)).toEqual({ code, description });
    },
  );

  it('are cut to 500 characters, and not in the middle of a card number', () => {
    const { description } = tidied(`${'x'.repeat(495)}4111111111111111`);

    expect(description).toBe(`${'x'.repeat(495)}…`);
    expect(tidied('x'.repeat(501)).description).toBe('x'.repeat(500));
  });

  it('that are missing stay missing', () => {
    const outcome: Outcome = {
      kind: 'failed',
      reference: null,
      errorCode: 'service_error',
      rawResponseCode: null,
      rawResponseDescription: null,
    };

    expect(cleanOutcome(outcome, GIVEN)).toEqual({ ...outcome, authResponseCode: null });
    expect(cleanOutcome({ kind: 'unknown', cause: 'timeout' }, GIVEN)).toEqual({
      kind: 'unknown',
      cause: 'timeout',
    });
  });
});

describe("a provider's reference", () => {
  const succeeded = (reference: string): Outcome => ({
    kind: 'succeeded',
    reference,
    money: { amount: 1299, currency: 'USD' },
    rawResponseCode: '00',
    rawResponseDescription: 'Approved',
    authResponseCode: 'A1',
    avsResponseCode: 'match',
    cvvResponseCode: null,
  });

  it('stays unchanged', () => {
    expect(cleanOutcome(succeeded('pay_737'), GIVEN)).toEqual(succeeded('pay_737'));
  });

  it.each(['a\u0000b', 'a\ud800', 'x'.repeat(256)])(
    'that cannot be stored makes a success unknown',
    (reference) => {
      expect(cleanOutcome(succeeded(reference), GIVEN)).toEqual({ kind: 'unknown', cause: 'unreadable' });
      expect(cleanOutcome(declined('no', reference), GIVEN)).toEqual(declined('no', null));
    },
  );
});
