import { describe, expect, it, test } from '@jest/globals';
import { DECLINE_CODES, type DeclineCode } from '../../src/connectors/codes/decline-codes.ts';
import type { Outcome } from '../../src/connectors/interface/outcome.ts';
import { cleanOutcome } from '../../src/connectors/reading/words.ts';

const GIVEN = { cardNumber: '4111111111111111', securityCode: '737', credentials: ['sk_live_1234', 'x'] };

const declined = (reported: string, reference: string | null = 'pay_1'): Outcome => ({
  kind: 'declined',
  reference,
  // A connector without types can give any text.
  errorCode: reported as DeclineCode,
  rawResponseCode: reported,
  rawResponseDescription: reported,
  authResponseCode: reported,
});

/** Returns the cleaned form of a text in a code and in a description. */
function tidied(reported: string): { code: unknown; description: unknown } {
  const outcome = cleanOutcome(declined(reported), GIVEN);
  if (outcome.kind !== 'declined') throw new Error('Not declined');
  expect([outcome.errorCode, outcome.authResponseCode]).toEqual([
    reported in DECLINE_CODES ? reported : 'other_decline',
    outcome.rawResponseCode,
  ]);
  return { code: outcome.rawResponseCode, description: outcome.rawResponseDescription };
}

const wordsWith = (given: object, text: string): unknown => {
  const outcome = cleanOutcome(declined(text), { ...GIVEN, ...given });
  return outcome.kind === 'declined' && outcome.rawResponseDescription;
};

describe("a provider's words about a bank account", () => {
  it.each([
    ['the number', { accountNumber: '000123456789' }, 'no account 000123456789', 'no account …'],
    ['a short number', { accountNumber: '4711' }, 'no account 4711', 'no account …'],
    ['the number written apart', { accountNumber: '31926819' }, '3192-6819 is closed', '… is closed'],
    ['an IBAN', {}, 'DE89370400440532013000 is closed', '… is closed'],
    ['an IBAN in blocks', {}, 'DE89 3704 0044 0532 0130 00 was closed', '… was closed'],
    ['an IBAN of whole blocks before a word', {}, 'BE68 5390 0754 7034 from you', '… from you'],
    ['a number of which only the end is known', { accountEnding: '6789' }, 'no 0001 2345 6789!', 'no …!'],
  ])('do not show %s', (_, given, text, shown) => {
    expect(wordsWith(given, text)).toBe(shown);
  });

  it.each([
    ['a reference like an IBAN with wrong check digits', 'DE88370400440532013000'],
    ['a number with another end', '1234 5678'],
  ])('keep %s', (_, text) => {
    expect(wordsWith({ accountEnding: '6789' }, text)).toBe(text);
  });
});

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
    (_what, reported, code, description) => {
      expect(tidied(reported)).toEqual({ code, description });
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
      expect(cleanOutcome(declined('no', reference), GIVEN)).toEqual({
        ...declined('no', null),
        errorCode: 'other_decline',
      });
    },
  );
});

describe("the issuer's country", () => {
  it.each([
    ['GB', 'GB'],
    ['gb', null],
    ['United Kingdom', null],
    [null, null],
  ])('%j is stored as %j', (cardCountry, stored) => {
    const outcome = { ...declined('no'), cardCountry } as Outcome;
    expect(cleanOutcome(outcome, GIVEN)).toMatchObject({ cardCountry: stored });
  });
});

test('a duplicate is a decline, even when the provider calls it a failure', () => {
  const outcome = { ...declined('duplicate_transaction'), kind: 'failed' } as Outcome;
  expect(cleanOutcome(outcome, GIVEN)).toMatchObject({
    kind: 'declined',
    errorCode: 'duplicate_transaction',
  });
});

describe("a scheme's response code", () => {
  const refused = (kind: string, errorCode: string, networkResponseCode: string) =>
    cleanOutcome({ ...declined(errorCode), kind, networkResponseCode } as Outcome, GIVEN);

  it.each(['04', '07', '15', '41', '43', '46', '57', 'R0', 'R1', 'R3'])('%s forbids a retry', (code) => {
    for (const [kind, errorCode] of [
      ['declined', 'issuer_decline'],
      ['failed', 'service_error'],
    ] as const) {
      expect(refused(kind, errorCode, code)).toMatchObject({
        ...{ kind: 'declined', errorCode: 'refused_transaction', networkResponseCode: code },
      });
    }
    expect(refused('declined', 'canceled_payment_method', code)).toMatchObject({
      errorCode: 'canceled_payment_method',
    });
  });

  it.each(['05', '12', '14', '51', '91', '0000', '100', 'R2'])('%s allows a retry', (code) => {
    expect(refused('declined', 'issuer_decline', code)).toMatchObject({
      ...{ kind: 'declined', errorCode: 'issuer_decline', networkResponseCode: code },
    });
    expect(refused('failed', 'service_error', code)).toMatchObject({
      ...{ kind: 'failed', errorCode: 'service_error' },
    });
  });

  it.each(['5', '12345', 'r1', 'R1 ', '04 : Pick up', ''])('%j is no code and is not stored', (code) => {
    expect(refused('declined', 'issuer_decline', code)).toMatchObject({
      ...{ errorCode: 'issuer_decline', networkResponseCode: null },
    });
  });
});

describe("a scheme's advice", () => {
  it.each([
    ['03', 'declined', 'refused_transaction'],
    ['21', 'declined', 'refused_transaction'],
    ['02', 'failed', 'issuer_decline'],
  ])('%s makes a refusal %s with %s', (merchantAdviceCode, kind, errorCode) => {
    const outcome = { ...declined('issuer_decline'), kind: 'failed', merchantAdviceCode } as Outcome;
    expect(cleanOutcome(outcome, GIVEN)).toMatchObject({ kind, errorCode, merchantAdviceCode });
  });

  it('that is no code is not stored', () => {
    const outcome = { ...declined('issuer_decline'), merchantAdviceCode: 'never' } as Outcome;
    expect(cleanOutcome(outcome, GIVEN)).toMatchObject({
      errorCode: 'issuer_decline',
      merchantAdviceCode: null,
    });
  });
});

describe('the action of a client', () => {
  const waits = (clientAction: string): Outcome => ({
    ...{ kind: 'accepted', reference: 'pay_1', session: true, clientAction },
    ...{ rawResponseCode: null, rawResponseDescription: null },
  });
  const cleaned = (action: string) => cleanOutcome(waits(action), GIVEN);

  it('stays unchanged, whatever a text in it looks like', () => {
    const action = JSON.stringify({ token: 'DE89370400440532013000 737', note: 'x'.repeat(65_000) });
    expect(cleaned(action)).toMatchObject({ kind: 'accepted', clientAction: action });
  });

  it.each([
    ['a credential', '{"token":"sk_live_1234"}'],
    ['the card', '{"token":"4111111111111111"}'],
    ['more than 64 KiB', JSON.stringify({ token: 'x'.repeat(65_536) })],
  ])('with %s makes the outcome unknown', (_, action) => {
    expect(cleaned(action)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });
});

describe('the code of a payment', () => {
  const waiting = (more: object): Outcome => ({
    ...{ kind: 'accepted', reference: 'pay_1', rawResponseCode: null, rawResponseDescription: null },
    ...more,
  });

  it('stays unchanged up to what a page can show', () => {
    const outcome = waiting({ qrCode: '0'.repeat(2_000) });
    expect(cleanOutcome(outcome, GIVEN)).toMatchObject(outcome);
  });

  it('may have the address of an app', () => {
    const outcome = waiting({ qrCode: '000201', approvalUrl: 'https://bank.example/app' });
    expect(cleanOutcome(outcome, GIVEN)).toMatchObject(outcome);
  });

  it.each([
    ['nothing', { qrCode: '' }],
    ['too much', { qrCode: '0'.repeat(2_001) }],
    ['too many bytes', { qrCode: '€'.repeat(700) }],
    ['an address of another protocol', { qrCode: '000201', approvalUrl: 'javascript:alert(1)' }],
    ['a form', { qrCode: '000201', approvalUrl: 'https://bank.example/app', approvalForm: {} }],
  ])('leaves the outcome unknown with %s', (_, more) => {
    expect(cleanOutcome(waiting(more), GIVEN)).toEqual({ kind: 'unknown', cause: 'unreadable' });
  });
});
