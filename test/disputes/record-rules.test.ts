import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DISPUTE_STAGES, DISPUTE_STATUSES } from '../../src/connectors/notices/disputes.ts';
import { holdsRefunds, isOpen, rankOf, type Dispute } from '../../src/modules/disputes/dispute.ts';
import { decideDispute, type Reported } from '../../src/modules/disputes/record-rules.ts';

const PAYMENT = {
  ...{ currency: 'EUR', capturedAmount: 1000, refundedAmount: 0, refundPendingAmount: 0 },
  ...{ disputeLostAmount: 0, isUndecided: false },
};

const reports: fc.Arbitrary<Reported> = fc.record({
  disputeReference: fc.constant('dp_1'),
  stage: fc.constantFrom(...DISPUTE_STAGES),
  status: fc.constantFrom(...DISPUTE_STATUSES),
  reason: fc.constant('general' as const),
  reasonCode: fc.constant(null),
  money: fc.integer({ min: 1, max: 1000 }).map((amount) => ({ amount, currency: 'EUR' })),
  respondBy: fc.constant(null),
  at: fc.integer({ min: 0, max: 6 }).map((ms) => new Date(ms)),
});

type Book = { dispute: Dispute | null; booked: number; open: number };

/** Applies reports one after another, and keeps the books of the payment. */
function play(book: Book, reported: Reported): Book {
  const { dispute: before } = book;
  const payment = { ...PAYMENT, disputeLostAmount: before?.lostAmount ?? 0 };
  const verdict = decideDispute({ before, payment, operationId: 'operation' }, reported);
  if (verdict.kind !== 'changes') return book;
  const entry = verdict.entry;
  const sign = entry?.kind === 'dispute_loss_reversal' ? -1 : 1;
  return {
    dispute: { ...(before ?? MADE), ...verdict.patch },
    booked: book.booked + sign * (entry?.amount ?? 0),
    open: book.open + verdict.opened,
  };
}

const MADE = {
  ...{ merchantAccountId: 'default', id: 'dispute', transactionId: 'payment', operationId: 'operation' },
  ...{
    paymentServiceId: 'service',
    providerReference: 'dp_1',
    createdAt: new Date(0),
    updatedAt: new Date(0),
  },
} as const;

const EMPTY: Book = { dispute: null, booked: 0, open: 0 };

describe('any reports in any order', () => {
  it('keep the books equal to the dispute, and never go back', () => {
    fc.assert(
      fc.property(fc.array(reports, { maxLength: 12 }), (given) => {
        let book = EMPTY;
        for (const reported of given) {
          const { dispute: before } = book;
          book = play(book, reported);
          const { dispute: after } = book;
          if (!after) continue;
          expect(book.booked).toBe(after.lostAmount);
          expect(book.open).toBe(holdsRefunds(after) ? 1 : 0);
          if (!before || before === after) continue;
          expect(rankOf(after.stage)).toBeGreaterThanOrEqual(rankOf(before.stage));
          expect(after.reportedAt >= before.reportedAt).toBe(true);
          if (isOpen(before) || rankOf(after.stage) > rankOf(before.stage)) continue;
          expect(after.status).toBe(before.status);
          if (after.decidedStage !== before.decidedStage) continue;
          expect(after.lostAmount).toBeGreaterThan(before.lostAmount);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('change nothing when each comes a second time', () => {
    fc.assert(
      fc.property(fc.array(reports, { maxLength: 8 }), (given) => {
        const twice = given.flatMap((one) => [one, one]);
        expect(twice.reduce(play, EMPTY)).toEqual(given.reduce(play, EMPTY));
      }),
      { numRuns: 1_000 },
    );
  });
});

/** The end of a dispute's stage. Null leaves the stage out. */
const end = fc.constantFrom(null, ...(['under_review', 'closed', 'won', 'lost', 'accepted'] as const));
const ends = fc.record({ inquiry: end, chargeback: end, pre_arbitration: end });

/** The amounts of the losses differ between the stages. */
const AMOUNTS = { inquiry: 300, chargeback: 500, pre_arbitration: 400 };

it('the reports of one dispute lead to the same books in any order, and also when all come twice', () => {
  const histories = ends.map((end) =>
    DISPUTE_STAGES.flatMap((stage, rank) => {
      const status = end[stage];
      const money = { amount: AMOUNTS[stage], currency: 'EUR' };
      const first = report({ stage, status: 'needs_response', money, at: new Date(2 * rank) });
      return status === null ? [] : [first, report({ stage, status, money, at: new Date(2 * rank + 1) })];
    }),
  );
  const orders = histories.chain((history) =>
    fc.tuple(
      fc.constant(history),
      fc.shuffledSubarray([...history, ...history], { minLength: 2 * history.length }),
    ),
  );
  fc.assert(
    fc.property(orders, ([inOrder, given]) => {
      expect(given.reduce(play, EMPTY)).toEqual(inOrder.reduce(play, EMPTY));
    }),
    { numRuns: 1_000 },
  );
});

const report = (fields: Partial<Reported> = {}): Reported => ({
  ...{ disputeReference: 'dp_1', stage: 'chargeback', status: 'lost', reason: 'general', reasonCode: null },
  ...{ money: { amount: 400, currency: 'EUR' }, respondBy: null, at: new Date(1) },
  ...fields,
});

describe('a loss', () => {
  it('of a payment without an outcome waits, and an open dispute does not', () => {
    const payment = { ...PAYMENT, capturedAmount: 0, isUndecided: true };
    expect(decideDispute({ before: null, payment, operationId: null }, report())).toEqual({ kind: 'waits' });
    expect(
      decideDispute({ before: null, payment, operationId: null }, report({ status: 'needs_response' })),
    ).toMatchObject({ kind: 'changes', entry: null, opened: 1 });
  });

  it('of a payment that took no money is not booked', () => {
    const payment = { ...PAYMENT, capturedAmount: 0 };
    expect(decideDispute({ before: null, payment, operationId: null }, report())).toMatchObject({
      ...{ kind: 'changes', entry: null, finding: 'exceeds_captured' },
    });
  });
});

describe('a loss that comes after a report of the next stage', () => {
  const lost = report({ stage: 'chargeback', at: new Date(1) });
  const next = report({ stage: 'pre_arbitration', status: 'needs_response', at: new Date(2) });

  it('is booked, and the dispute stays in its stage', () => {
    const inOrder = [lost, next].reduce(play, EMPTY);
    const overtaken = [next, lost].reduce(play, EMPTY);

    expect(overtaken).toEqual(inOrder);
    expect(overtaken).toMatchObject({ booked: 400, open: 1, dispute: { stage: 'pre_arbitration' } });
  });

  it.each([
    ['won', 0],
    ['lost', 400],
    ['closed', 400],
  ] as const)('is booked as if in order when that stage is %s', (status, booked) => {
    const end = { ...next, status, at: new Date(3) };

    expect([lost, next, end].reduce(play, EMPTY).booked).toBe(booked);
    expect([next, end, lost].reduce(play, EMPTY).booked).toBe(booked);
  });
});

describe('a win that comes after a report of the next stage', () => {
  const accepted = report({ stage: 'inquiry', status: 'accepted', at: new Date(1) });
  const won = report({ stage: 'chargeback', status: 'won', at: new Date(2) });
  const next = report({ stage: 'pre_arbitration', status: 'needs_response', at: new Date(3) });

  it('books the loss of an earlier stage back, and the dispute stays in its stage', () => {
    const inOrder = [accepted, won, next].reduce(play, EMPTY);

    expect(inOrder).toMatchObject({ booked: 0, open: 1, dispute: { stage: 'pre_arbitration' } });
    expect([accepted, next, won].reduce(play, EMPTY)).toEqual(inOrder);
    expect([next, won, accepted].reduce(play, EMPTY)).toEqual(inOrder);
    expect([next, accepted, won].reduce(play, EMPTY)).toEqual(inOrder);
  });

  it('leaves a loss of that stage', () => {
    const lost = { ...next, status: 'lost' as const, at: new Date(4) };

    expect([accepted, lost, won].reduce(play, EMPTY).booked).toBe(400);
  });
});

it('a report of the same state at a later moment publishes nothing', () => {
  const open = report({ status: 'needs_response' });
  const { dispute } = play(EMPTY, open);
  expect(
    decideDispute({ before: dispute, payment: PAYMENT, operationId: null }, { ...open, at: new Date(9) }),
  ).toMatchObject({ kind: 'changes', events: [], patch: { reportedAt: new Date(9) } });
});
