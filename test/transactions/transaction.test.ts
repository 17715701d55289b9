import { describe, expect, it } from '@jest/globals';
import { decide } from '../../src/modules/transactions/decide.ts';
import { eventOf, statusAfter } from '../../src/modules/transactions/operation.ts';
import {
  capturable,
  lifecycle,
  refundable,
  voidable,
  type Transaction,
} from '../../src/modules/transactions/transaction.ts';
import { cardFacts, isExpired } from '../../src/modules/transactions/card.ts';

const statuses = Object.keys(lifecycle) as Transaction['status'][];

const transaction = (fields: Partial<Transaction>): Transaction =>
  ({
    status: 'authorization_succeeded',
    currency: 'USD',
    authorizedAmount: 1000,
    capturedAmount: 0,
    capturePendingAmount: 0,
    refundedAmount: 0,
    refundPendingAmount: 0,
    voidPending: false,
    ...fields,
  }) as Transaction;

describe('the lifecycle', () => {
  it('ends in exactly four statuses', () => {
    const terminal = statuses.filter((status) => Object.keys(lifecycle[status]).length === 0);

    expect(terminal.sort()).toEqual([
      'authorization_declined',
      'authorization_failed',
      'authorization_voided',
      'capture_succeeded',
    ]);
  });

  it('never leads out of a terminal status, whatever a late answer says', () => {
    for (const status of [
      'authorization_declined',
      'authorization_failed',
      'authorization_voided',
      'capture_succeeded',
    ] as const) {
      expect(() => statusAfter(status, 'capture', 'authorize', 'succeeded')).toThrow(
        `No way from ${status} on capture`,
      );
    }
  });

  it.each([
    ['authorize', 'authorize', 'succeeded', 'authorize'],
    ['authorize', 'capture', 'succeeded', 'capture'],
    ['authorize', 'authorize', 'declined', 'decline'],
    ['authorize', 'capture', 'failed', 'fail'],
    ['capture', 'authorize', 'succeeded', 'capture'],
    ['capture', 'authorize', 'declined', null],
    ['refund', 'authorize', 'succeeded', null],
    ['void', 'authorize', 'succeeded', 'void'],
    ['void', 'authorize', 'failed', null],
  ] as const)('%s with intent %s that %s means %s', (kind, intent, outcome, event) => {
    expect(eventOf(kind, intent, outcome)).toBe(event);
  });
});

describe('what is left', () => {
  it.each([
    [{}, 1000, 0, true],
    [{ capturePendingAmount: 400 }, 0, 0, false],
    [{ voidPending: true }, 0, 0, false],
    [{ status: 'capture_succeeded', capturedAmount: 1000 }, 0, 1000, false],
    [
      { status: 'capture_succeeded', capturedAmount: 1000, refundedAmount: 300, refundPendingAmount: 200 },
      0,
      500,
      false,
    ],
    [{ status: 'authorization_voided' }, 0, 0, false],
    [{ status: 'processing', authorizedAmount: 0 }, 0, 0, false],
    [{ authorizedAmount: 0 }, 0, 0, false],
  ] as const)('of %j is %d to capture, %d to refund, voidable %s', (fields, toCapture, toRefund, canVoid) => {
    const given = transaction(fields);

    expect([capturable(given).amount, refundable(given).amount, voidable(given)]).toEqual([
      toCapture,
      toRefund,
      canVoid,
    ]);
  });
});

describe('decide', () => {
  it('asks for the status before the amount', () => {
    const captured = transaction({ status: 'capture_succeeded', capturedAmount: 1000 });

    expect(decide('capture', captured, 99_999)).toEqual({
      kind: 'OperationNotAllowed',
      operation: 'capture',
      status: 'capture_succeeded',
    });
    expect(decide('capture', transaction({}), 1001)).toEqual({
      kind: 'CaptureTooLarge',
      capturable: { amount: 1000, currency: 'USD' },
    });
    expect(decide('capture', transaction({}), 1000)).toBeNull();
    expect(decide('capture', transaction({}), null)).toBeNull();
    expect(decide('refund', captured, 1001)).toEqual({
      kind: 'RefundTooLarge',
      refundable: { amount: 1000, currency: 'USD' },
    });
    expect(decide('refund', captured, null)).toBeNull();
    expect(decide('void', transaction({}), null)).toBeNull();
  });
});

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
