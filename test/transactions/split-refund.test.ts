import { describe, expect, it, test } from '@jest/globals';
import fc from 'fast-check';
import type { Subject } from '../../src/modules/transactions/follow-up-claim/decide-follow-up.ts';
import { splitRefund, type Target } from '../../src/modules/transactions/follow-up/split-refund.ts';
import {
  redeemedAmount,
  refundableTo,
  type Redemption,
  type RedemptionStatus,
} from '../../src/modules/transactions/model/redemption.ts';
import type { Transaction } from '../../src/modules/transactions/model/transaction.ts';
import { transactionOf } from './outcomes.ts';

const ALL: Target = { kind: 'all' };
const to = (redemptionId: string): Target => ({ kind: 'redemption', redemptionId });

const subject = (fields: Partial<Transaction> = {}, partial = true): Subject => ({
  transaction: transactionOf({
    status: 'capture_succeeded',
    capturedAmount: 600,
    capturePendingAmount: 0,
    refundPendingAmount: 0,
    ...fields,
  }),
  features: { refunds: true, partial_refunds: partial } as Subject['features'],
  allowance: 0,
});

const redemption = (id: string, fields: Partial<Redemption> = {}): Redemption =>
  ({
    id,
    status: 'succeeded',
    amount: 300,
    refundedAmount: 0,
    refundPendingAmount: 0,
    ...fields,
  }) as Redemption;

const CARDS = [redemption('a'), redemption('b', { amount: 100 })];

/** The parts of a refund as `instrument: amount`. Null when the refund is refused. */
function partsOf(
  amount: number | null,
  {
    target = ALL,
    cards = CARDS,
    given = subject(),
  }: { target?: Target; cards?: Redemption[]; given?: Subject } = {},
): Readonly<Record<string, number>> | null {
  const result = splitRefund(given, cards, { target, amount, force: false });
  if (!result.ok) return null;
  return Object.fromEntries(result.value.map((part) => [part.redemption?.id ?? 'method', part.amount]));
}

describe('a refund to all instruments', () => {
  it.each([
    [null, { method: 600, a: 300, b: 100 }],
    [1000, { method: 600, a: 300, b: 100 }],
    [600, { method: 600 }],
    [601, { method: 600, a: 1 }],
    [901, { method: 600, a: 300, b: 1 }],
    [1, { method: 1 }],
  ])('of %s goes to %j', (amount, parts) => {
    expect(partsOf(amount)).toEqual(parts);
  });

  it('gives each instrument at most its rest', () => {
    const given = subject({ refundedAmount: 500, refundPendingAmount: 60 });
    const cards = [
      redemption('a', { refundedAmount: 100, refundPendingAmount: 150 }),
      redemption('b', { status: 'reversed' }),
      redemption('c', { refundedAmount: 300 }),
    ];
    expect(partsOf(null, { given, cards })).toEqual({ method: 40, a: 50 });
    expect(splitRefund(given, cards, { target: ALL, amount: 91, force: false })).toEqual({
      ok: false,
      refusals: [{ kind: 'RefundTooLarge', refundable: { amount: 90, currency: 'USD' } }],
    });
  });

  it.each([0, -1])('of %d is refused', (amount) => {
    expect(partsOf(amount)).toBeNull();
  });

  it('needs a service that refunds parts, unless the method gets all or nothing', () => {
    const given = subject({}, false);
    expect(partsOf(600, { given })).toEqual({ method: 600 });
    expect(splitRefund(given, CARDS, { target: ALL, amount: 599, force: false })).toEqual({
      ok: false,
      refusals: [{ kind: 'OperationNotSupported', operation: 'refund', feature: 'partial_refunds' }],
    });
    expect(partsOf(50, { given: subject({ capturedAmount: 0 }, false) })).toEqual({ a: 50 });
  });

  it.each(['authorization_succeeded', 'authorization_declined', 'authorization_voided'] as const)(
    'of a payment in %s is refused',
    (status) => {
      expect(splitRefund(subject({ status }), CARDS, { target: ALL, amount: 1, force: false })).toEqual({
        ok: false,
        refusals: [{ kind: 'OperationNotAllowed', operation: 'refund', status }],
      });
    },
  );
});

describe('a refund to one gift card', () => {
  it('goes to that card alone, up to its rest', () => {
    expect(partsOf(null, { target: to('B') })).toEqual({ b: 100 });
    expect(partsOf(99, { target: to('a') })).toEqual({ a: 99 });
    expect(splitRefund(subject(), CARDS, { target: to('a'), amount: 301, force: false })).toEqual({
      ok: false,
      refusals: [{ kind: 'RefundTooLarge', refundable: { amount: 300, currency: 'USD' } }],
    });
  });

  it('of another payment is not found', () => {
    expect(splitRefund(subject(), CARDS, { target: to('c'), amount: 1, force: false })).toEqual({
      ok: false,
      refusals: [{ kind: 'NotFound', what: 'gift card redemption', path: ['input', 'redemptionId'] }],
    });
  });

  it('is possible after a payment that ended without success, and refused while a payment is open', () => {
    expect(partsOf(null, { target: to('a'), given: subject({ status: 'authorization_failed' }) })).toEqual({
      a: 300,
    });
    expect(
      partsOf(null, { target: to('a'), given: subject({ status: 'authorization_succeeded' }) }),
    ).toBeNull();
  });
});

test('the parts of any refund add up to its amount, and none exceeds the rest of its instrument', () => {
  const rest = fc.record({ amount: fc.nat(500), refundedAmount: fc.nat(0), refundPendingAmount: fc.nat(0) });
  fc.assert(
    fc.property(
      fc.array(rest, { maxLength: 4 }),
      fc.nat(600),
      fc.integer({ min: 1, max: 2_000 }),
      (cards, captured, amount) => {
        const given = subject({ capturedAmount: captured });
        const redemptions = cards.map((fields, index) => redemption(String(index), fields));
        const left = captured + redemptions.reduce((sum, each) => sum + refundableTo(each), 0);
        const result = splitRefund(given, redemptions, { target: ALL, amount, force: false });
        expect(result.ok).toBe(amount <= left);
        if (!result.ok) return;
        expect(result.value.reduce((sum, part) => sum + part.amount, 0)).toBe(amount);
        for (const part of result.value)
          expect(part.amount).toBeLessThanOrEqual(part.redemption ? refundableTo(part.redemption) : captured);
      },
    ),
  );
});

test.each<[status: RedemptionStatus, redeemed: number, refundable: number]>([
  ['created', 0, 0],
  ['pending', 0, 0],
  ['succeeded', 300, 180],
  ['failed', 0, 0],
  ['skipped', 0, 0],
  ['reversing', 300, 0],
  ['reversed', 0, 0],
])('a redemption that is %s has paid %d, and %d can be refunded', (status, redeemed, left) => {
  const one = redemption('a', { status, refundedAmount: 50, refundPendingAmount: 70 });
  expect([redeemedAmount([one, redemption('b')]), refundableTo(one)]).toEqual([redeemed + 300, left]);
});
