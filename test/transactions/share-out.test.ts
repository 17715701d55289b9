import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { shareOut } from '../../src/modules/transactions/follow-up/share-out.ts';
import { sharedCaptures } from '../../src/modules/transactions/follow-up/shared-captures.ts';
import type { RefundFacts } from '../../src/modules/transactions/follow-up-claim/subject.sql.ts';
import type { GivenShare } from '../../src/modules/transactions/input/splits.ts';
import type { Operation } from '../../src/modules/transactions/model/operation.ts';
import {
  keptBy,
  movedShares,
  newShares,
  reversedShares,
  sharesElsewhere,
  sharesOfReversal,
  type Split,
  type SplitShare,
} from '../../src/modules/transactions/model/splits.ts';
import type { Transaction } from '../../src/modules/transactions/model/transaction.ts';
import { AMOUNTS } from '../../src/modules/transactions/settle/amounts.ts';
import { NOW, operationOf, transactionOf } from './outcomes.ts';

const FEE: Split = { kind: 'platform_fee', account: null, amount: 100, reference: null };
const SELLER: Split = { kind: 'recipient', account: 'seller', amount: 900, reference: 'S-1' };
const SHARES = newShares([SELLER, FEE]);

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0);

/** An authorised payment of these shares, of which nothing is captured. */
const paymentOf = (splits: readonly SplitShare[] | null, changes: object = {}) =>
  transactionOf({
    ...{ status: 'authorization_succeeded', voidPending: false, captureClosed: false },
    ...{ capturePendingAmount: 0, refundPendingAmount: 0, splits, ...changes },
  });

const captureOf = (amount: number | null, splits: readonly SplitShare[] | null = SHARES) =>
  shareOut(paymentOf(splits), { kind: 'capture', amount, splits: null, unit: 1 });

describe('the shares of a capture', () => {
  it.each([
    [null, [900, 100]],
    [500, [450, 50]],
    [333, [300, 33]],
    [5, [5, 0]],
    [1, [1, 0]],
  ])('of %p keep those of the payment in proportion', (amount, expected) => {
    const shared = captureOf(amount);
    if (!shared.ok || !shared.value) throw new Error('Nothing was shared');
    const { splits, before, after } = shared.value;
    expect(splits.shares.map((share) => share.amount)).toEqual(expected);
    expect(splits.inProportion).toBe(true);
    expect(before).toBe(SHARES);
    expect(after.map((share) => share.capturePendingAmount)).toEqual(expected);
  });

  it('do not exist for a payment without shares', () => {
    expect(captureOf(5, null)).toEqual({ ok: true, value: null });
    const given = [{ kind: 'recipient', account: 'seller', amount: 5 }] as const;
    expect(shareOut(paymentOf(null), { kind: 'capture', amount: 5, splits: given, unit: 1 })).toMatchObject({
      refusals: [{ kind: 'InvalidInput', path: ['input', 'splits'] }],
    });
  });

  it('are never above the rest of the payment', () => {
    const rest = SHARES.map((share) => ({ ...share, capturedAmount: share.amount - 10 }));
    expect(captureOf(21, rest)).toMatchObject({
      refusals: [{ kind: 'CaptureTooLarge', capturable: { amount: 20, currency: 'USD' } }],
    });
  });

  it.each([
    [[{ ...SELLER, amount: 500 }], null],
    [
      [
        { ...FEE, amount: 101 },
        { ...SELLER, amount: 399 },
      ],
      'Must be at most 100, the rest of the account.',
    ],
    [[{ ...SELLER, amount: 499 }], 'which is 1 minor units more.'],
    [[{ ...SELLER, amount: 501 }], 'which is 1 minor units less.'],
    [[{ ...SELLER, account: 'other', amount: 500 }], 'Must be an account in the splits'],
    [[{ ...FEE, account: 'seller', amount: 500 }], 'Must be an account in the splits'],
  ])('of the request are checked: %j', (given, message) => {
    const shared = shareOut(paymentOf(SHARES), { kind: 'capture', amount: 500, splits: given, unit: 1 });
    if (message === null)
      expect(shared).toMatchObject({
        value: { splits: { inProportion: false, shares: [{ amount: 500 }, { amount: 0 }] } },
      });
    else expect(shared).toMatchObject({ refusals: [{ message: expect.stringContaining(message) }] });
  });
});

describe('the shares at a provider with a step', () => {
  const HUF = newShares([
    { ...SELLER, amount: 90_100 },
    { ...FEE, amount: 9_900 },
  ]);
  const capture = (amount: number, splits: readonly GivenShare[] | null = null) =>
    shareOut(paymentOf(HUF), { kind: 'capture', amount, splits, unit: 100 });

  it('are multiples of the step', () => {
    expect(capture(33_300)).toMatchObject({
      value: { splits: { shares: [{ amount: 30_000 }, { amount: 3_300 }] } },
    });
  });

  it('refuse an amount and a share that the provider cannot express', () => {
    expect(capture(33_350)).toMatchObject({
      refusals: [{ path: ['input', 'amount'], message: expect.stringContaining('multiple of 100') }],
    });
    const given = [
      { kind: 'recipient', account: 'seller', amount: 33_250 },
      { kind: 'platform_fee', account: null, amount: 50 },
    ] as const;
    expect(capture(33_300, given)).toMatchObject({
      refusals: [
        { path: ['input', 'splits', '0', 'amount'], message: expect.stringContaining('multiple of 100') },
        { path: ['input', 'splits', '1', 'amount'] },
      ],
    });
  });
});

it('a capture without an amount takes the rest of the shares, after an increase at the provider', () => {
  const payment = paymentOf(SHARES, { authorizedAmount: 1100 });
  expect(shareOut(payment, { kind: 'capture', amount: null, splits: null, unit: 1 })).toMatchObject({
    value: { amount: 1000, splits: { isFirst: true } },
  });
});

describe('the shares of a refund', () => {
  const captured = SHARES.map((share) => ({ ...share, capturedAmount: share.amount }));
  const payment = paymentOf(captured, { status: 'capture_succeeded', capturedAmount: 1000 });
  const operation = (given: Partial<Operation>): Operation => operationOf({ status: 'succeeded', ...given });
  const capture = (id: string, seller: number, fee: number): Operation =>
    operation({
      ...{ id, kind: 'capture', amount: seller + fee },
      splits: {
        inProportion: true,
        shares: [
          { ...SELLER, amount: seller },
          { ...FEE, amount: fee },
        ],
      },
    });
  const refundOf = (
    operations: readonly Operation[],
    allocated: RefundFacts['allocated'],
    splits: readonly GivenShare[] | null = null,
  ) => {
    const captures = sharedCaptures(payment, { operations, allocated }, 1);
    const amount = sumOf(allocated.map((part) => part.amount));
    return shareOut(payment, { kind: 'refund', amount, splits, unit: 1, captures });
  };
  const part = (operationId: string, amount: number) => ({
    ...{ operationId, amount, key: 'k', reference: 'r' },
  });

  it('keep the captured shares of the only capture in proportion', () => {
    expect(refundOf([capture('one', 900, 100)], [part('one', 250)])).toMatchObject({
      value: { amount: 250, splits: { shares: [{ amount: 225 }, { amount: 25 }] } },
    });
  });

  it('are of each capture alone', () => {
    const captures = [capture('one', 500, 0), capture('two', 400, 100)];
    const shared = refundOf(captures, [part('one', 500), part('two', 250)]);
    expect(shared).toMatchObject({
      value: {
        splits: {
          shares: [{ amount: 700 }, { amount: 50 }],
          captures: [
            { operationId: 'one', amount: 500, shares: [{ amount: 500 }, { amount: 0, capturedAmount: 0 }] },
            {
              operationId: 'two',
              amount: 250,
              shares: [{ amount: 200 }, { amount: 50, capturedAmount: 100 }],
            },
          ],
        },
      },
    });
  });

  it('leave to the last refund of a capture what earlier ones left', () => {
    const captures = [capture('one', 16, 1), capture('two', 81, 2)];
    const first = refundOf(captures, [part('one', 16)]);
    if (!first.ok || !first.value) throw new Error('Nothing was shared');
    const refund = operation({
      ...{ id: 'three', kind: 'refund', amount: 16, splits: first.value.splits },
      refundCaptures: [part('one', 16)],
    });
    expect(refundOf([...captures, refund], [part('one', 1), part('two', 83)])).toMatchObject({
      value: {
        splits: {
          captures: [{ shares: [{ amount: 1 }, { amount: 0 }] }, { shares: [{ amount: 81 }, { amount: 2 }] }],
        },
      },
    });
  });

  it('are what a refund with splits of its own left of the capture', () => {
    const given = [{ kind: 'platform_fee', account: null, amount: 50 }] as const;
    const first = refundOf([capture('one', 450, 50)], [part('one', 50)], given);
    if (!first.ok || !first.value) throw new Error('Nothing was shared');
    const refund = operation({
      ...{ id: 'two', kind: 'refund', amount: 50, splits: first.value.splits },
      refundCaptures: [part('one', 50)],
    });
    expect(refundOf([capture('one', 450, 50), refund], [part('one', 100)])).toMatchObject({
      value: { splits: { shares: [{ amount: 100 }, { amount: 0 }] } },
    });
  });

  it('of the request are those of one capture', () => {
    const captures = [capture('one', 450, 50), capture('two', 450, 50)];
    const given = [{ kind: 'platform_fee', account: null, amount: 60 }] as const;
    expect(refundOf(captures, [part('one', 60)], given)).toMatchObject({
      refusals: [{ message: 'Must be at most 50, the rest of the account.' }],
    });
    expect(refundOf(captures, [part('one', 500), part('two', 60)], given)).toMatchObject({
      refusals: [{ path: ['input', 'splits'], message: expect.stringContaining('at most 500') }],
    });
  });

  it('are those of a refund at the provider, too', () => {
    const made = operation({
      ...{ id: 'two', kind: 'refund', amount: 100, origin: 'provider' },
      splits: {
        inProportion: true,
        shares: [
          { ...SELLER, amount: 90 },
          { ...FEE, amount: 10 },
        ],
      },
      refundCaptures: [part('one', 100)],
    });
    expect(refundOf([capture('one', 900, 100), made], [part('one', 900)])).toMatchObject({
      value: { splits: { shares: [{ amount: 810 }, { amount: 90 }] } },
    });
  });
});

describe('the shares of a sale that was approved late', () => {
  const sale = (amount: number) => ({
    transaction: { splits: SHARES },
    operation: { kind: 'authorize', amount, splits: null, reversals: null },
  });
  it.each([
    [500, [450, 50]],
    [1500, [900, 100]],
  ])('of %p are at most the whole shares, and a reversal takes them back', (amount, expected) => {
    const after = movedShares(sale(amount), { capturedAmount: 1 }).splits ?? [];
    expect(after.map((share) => share.capturedAmount)).toEqual(expected);
    const given = { ...sale(amount), transaction: { splits: after } };
    const rest = reversedShares(given, { amount, unit: 1 }).splits ?? [];
    expect(rest.map((share) => share.capturedAmount)).toEqual([0, 0]);
  });
});

describe('the shares of a report, where the provider takes only multiples of 10', () => {
  const transaction = {
    splits: newShares([
      { ...SELLER, amount: 9_000 },
      { ...FEE, amount: 1_000 },
    ]),
  };

  it.each([
    [3_330, [3_000, 330]],
    [3_333, [3_000, 333]],
  ])('are multiples too for a capture of %p, if the amount is one', (amount, expected) => {
    const { splits, patch } = sharesElsewhere(transaction, 'capture', { amount, unit: 10 });
    expect(splits?.shares.map((share) => share.amount)).toEqual(expected);
    expect(patch.splits?.map((share) => share.capturedAmount)).toEqual(expected);
  });

  it('are multiples for a reversal, and the next one knows them', () => {
    const { splits, patch } = sharesElsewhere(transaction, 'capture', { amount: 3_330, unit: 10 });
    const operation = { kind: 'capture', amount: 3_330, splits, reversals: null };
    const captured = { splits: patch.splits ?? null };
    const kept = (given: Parameters<typeof reversedShares>[0]) =>
      reversedShares(given, { amount: 330, unit: 10 }).splits?.map((share) => share.capturedAmount);
    expect(kept({ transaction: captured, operation })).toEqual([2_700, 300]);
    const reversals = [{ key: 'r', amount: 330, unit: 10 }];
    const given = { transaction: captured, operation: { ...operation, reversals } };
    expect(keptBy(given)).toEqual([[2_700, 300]]);
    expect(sharesOfReversal(given, 'r')).toMatchObject([{ amount: 300 }, { amount: 30 }]);
  });
});

/** A step of a payment's life: a capture, a refund, or a reversal of the latest one. */
type Step = { readonly kind: 'capture' | 'refund'; readonly seed: number; readonly fate: Fate };
type Fate = 'succeeds' | 'fails' | 'is reversed';

/** The operations of a payment, with the payment itself, and the smallest amount of its provider. */
type Life = {
  readonly transaction: Transaction;
  readonly operations: readonly Operation[];
  readonly unit: number;
};

it('of any captures, refunds and reversals add up, and no account gets or gives more than its share', () => {
  const step = fc.record<Step>({
    kind: fc.constantFrom('capture', 'refund'),
    seed: fc.nat(),
    fate: fc.constantFrom('succeeds', 'fails', 'is reversed'),
  });
  const amounts = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 8 });
  const units = fc.constantFrom(1, 10, 100);
  fc.assert(
    fc.property(amounts, units, fc.array(step, { maxLength: 12 }), (given, unit, steps) => {
      const splits = newShares(
        given.map((each, place) => ({ ...SELLER, account: `a${place}`, amount: each * unit })),
      );
      const amount = sumOf(given) * unit;
      let life: Life = {
        transaction: paymentOf(splits, { amount, authorizedAmount: amount }),
        ...{ operations: [], unit },
      };
      for (const each of steps) life = carriedOut(life, each);
      for (const share of life.transaction.splits ?? []) {
        expect(share.capturePendingAmount + share.refundPendingAmount).toBe(0);
        expect(share.capturedAmount).toBeGreaterThanOrEqual(0);
        expect(share.capturedAmount).toBeLessThanOrEqual(share.amount);
        expect(share.refundedAmount).toBeGreaterThanOrEqual(0);
        expect([share.capturedAmount % unit, share.refundedAmount % unit]).toEqual([0, 0]);
        // A reversed capture takes back the shares that a refund gave before.
        if (!steps.some(({ fate }) => fate === 'is reversed'))
          expect(share.refundedAmount).toBeLessThanOrEqual(share.capturedAmount);
      }
      const { capturedAmount, refundedAmount } = life.transaction;
      expect(sumOf((life.transaction.splits ?? []).map((share) => share.capturedAmount))).toBe(
        capturedAmount,
      );
      expect(sumOf((life.transaction.splits ?? []).map((share) => share.refundedAmount))).toBe(
        refundedAmount,
      );
    }),
  );
});

/** Carries a step out by the rules of claims, outcomes and reversals, and checks its sums. */
function carriedOut(life: Life, { kind, seed, fate }: Step): Life {
  const { transaction, unit } = life;
  // The database reads only what is confirmed or under way.
  const operations = life.operations.filter(({ status }) => status === 'succeeded');
  const left =
    kind === 'capture'
      ? transaction.amount - transaction.capturedAmount
      : transaction.capturedAmount - transaction.refundedAmount;
  if (left < 1) return life;
  const amount = unit * (1 + (seed % (left / unit)));
  const allocated = allocationOf(operations, amount);
  // A reversed capture may leave more refunded of the captures than their rest.
  if (kind === 'refund' && sumOf(allocated.map((part) => part.amount)) !== amount) return life;
  const captures = kind === 'refund' ? sharedCaptures(transaction, { operations, allocated }, unit) : [];
  const shared = shareOut(transaction, { kind, amount, splits: null, unit, captures });
  if (!shared.ok || !shared.value) throw new Error(`The ${kind} of ${amount} was refused`);
  const { splits, after } = shared.value;
  expect(sumOf(splits.shares.map((share) => share.amount))).toBe(amount);
  expect(splits.shares.every((share) => share.amount >= 0)).toBe(true);
  const operation = operationOf({
    ...{ id: String(life.operations.length), kind, amount, splits, final: false },
    refundCaptures:
      kind === 'refund' ? allocated.map((part) => ({ ...part, key: 'k', reference: 'r' })) : null,
  });
  const claimed: Transaction = { ...transaction, splits: after, [`${kind}PendingAmount`]: amount };
  return settled({ ...life, transaction: claimed }, operation, fate);
}

/** Allocates a refund to captures, oldest first, as the database does. */
function allocationOf(operations: readonly Operation[], wanted: number): RefundFacts['allocated'] {
  let rest = wanted;
  return operations.flatMap((capture) => {
    if (capture.kind !== 'capture' || capture.status !== 'succeeded') return [];
    const refunded = operations
      .filter(({ kind, status }) => kind === 'refund' && status === 'succeeded')
      .map((refund) => keptOf(refund, capture.id));
    const amount = Math.min(rest, Math.max(capture.amount - capture.reversedAmount - sumOf(refunded), 0));
    rest -= amount;
    return amount > 0 ? [{ operationId: capture.id, amount, key: 'k', reference: 'r' }] : [];
  });
}

/** Returns the part of a refund that a capture bears. A reversal frees the last captures first. */
function keptOf({ amount, reversedAmount, refundCaptures }: Operation, capture: string): number {
  let kept = amount - reversedAmount;
  for (const part of refundCaptures ?? []) {
    const own = Math.min(kept, part.amount);
    if (part.operationId === capture) return own;
    kept -= own;
  }
  return 0;
}

function settled({ transaction, operations, unit }: Life, operation: Operation, fate: Fate): Life {
  const rule = AMOUNTS[operation.kind][fate === 'fails' ? 'refused' : 'succeeded'];
  const outcome = { kind: fate === 'fails' ? 'declined' : 'succeeded', reference: null } as never;
  const service = { id: 'service', displayName: 'Service', definitionId: 'mock-card' };
  const after = {
    ...transaction,
    ...rule({ transaction, operation, service, outcome, after: null, now: NOW }),
  } as Transaction;
  const made: Operation = { ...operation, status: fate === 'fails' ? 'declined' : 'succeeded' };
  const amount = unit * Math.floor(made.amount / unit / 2);
  if (fate !== 'is reversed' || amount === 0)
    return { transaction: after, operations: [...operations, made], unit };
  const field = made.kind === 'capture' ? 'capturedAmount' : 'refundedAmount';
  const reversed: Transaction = {
    ...after,
    ...reversedShares({ transaction: after, operation: made }, { amount, unit }),
    [field]: after[field] - amount,
  };
  const reversals = [{ key: 'r', amount, unit, errorCode: 'returned', at: NOW.toISOString() }];
  return {
    transaction: reversed,
    operations: [...operations, { ...made, reversedAmount: amount, reversals }],
    unit,
  };
}
