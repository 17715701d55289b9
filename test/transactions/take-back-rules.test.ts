import { describe, expect, it } from '@jest/globals';
import type { State } from '../../src/modules/transactions/settle/changes.ts';
import type { TakenBack, Verdict } from '../../src/modules/transactions/take-back/take-back-changes.ts';
import { decideTakeBack, reversalKeyOf } from '../../src/modules/transactions/take-back/take-back-rules.ts';
import type { Transaction } from '../../src/modules/transactions/model/transaction.ts';
import type { Operation } from '../../src/modules/transactions/model/operation.ts';
import { NOW, operationOf, transactionOf } from './outcomes.ts';

const words = { rawResponseCode: null, rawResponseDescription: null };
const GIVEN = {
  now: NOW,
  ledgerId: 'ledger',
  eventIds: ['event a', 'event b'],
  historyId: 'history',
  unit: 1,
} as const;
const SERVICE = { id: 'service', displayName: 'Service', definitionId: 'mock-card' };

const reversed = (amount: number | null, key = 'reversal r', currency = 'USD'): TakenBack => ({
  ...{ kind: 'reversed', key, errorCode: 'service_error', ...words },
  money: amount === null ? null : { amount, currency },
});
const REPEAT = { kind: 'none', finding: 'possible_repeat' };
const expired: TakenBack = { kind: 'expired', at: null, ...words };

const stateOf = (operation: Partial<Operation> = {}, transaction: Partial<Transaction> = {}): State => ({
  operation: operationOf({ status: 'succeeded', amount: 1000, leaseUntil: null, ...operation }),
  transaction: transactionOf({
    ...{ status: 'capture_succeeded', capturedAmount: 1000, capturePendingAmount: 0 },
    ...{ refundPendingAmount: 0, voidPending: false },
    ...transaction,
  }),
  service: SERVICE,
});

const decide = (state: State, reported: TakenBack): Verdict => decideTakeBack(state, reported, GIVEN);

/** Returns the state after the changes of a report. Without changes the state stays. */
function after(state: State, reported: TakenBack): State {
  const verdict = decide(state, reported);
  if (verdict.kind !== 'changes') return state;
  const { transaction, operation } = verdict.changes;
  return {
    ...state,
    transaction: { ...state.transaction, ...transaction },
    operation: { ...state.operation, ...operation },
  };
}

describe('the rule about a reversal', () => {
  it.each<readonly [string, Partial<Operation>, Partial<Transaction>, TakenBack, object]>([
    ['a pending operation', { status: 'pending' }, {}, reversed(null), { kind: 'waits' }],
    ['a declined operation', { status: 'declined' }, {}, reversed(null), { kind: 'none', finding: null }],
    ['another currency', {}, {}, reversed(1000, 'reversal r', 'EUR'), { finding: 'other_money' }],
    ['too much', {}, {}, reversed(1001), { finding: 'exceeds_operation' }],
    [
      'a refund to a gift card',
      { kind: 'refund', redemptionId: 'redemption' },
      {},
      reversed(null),
      { finding: 'unexpected_state' },
    ],
    ['nothing', { amount: 0 }, {}, reversed(null), { kind: 'none', finding: null }],
    [
      'a capture below its refunds',
      {},
      { refundedAmount: 1 },
      reversed(null),
      { kind: 'changes', finding: 'refunded_exceeds_captured' },
    ],
    [
      'a capture below a refund under way',
      {},
      { refundPendingAmount: 1 },
      reversed(1000),
      { kind: 'changes', finding: 'refunded_exceeds_captured' },
    ],
    ['a capture above its refunds', {}, { refundedAmount: 600 }, reversed(400), { finding: null }],
    ...([
      ['a capture that a dispute took', {}, { disputeLostAmount: 1000 }, reversed(1000), REPEAT],
      ['a part that a dispute took', {}, { disputeLostAmount: 400 }, reversed(400), REPEAT],
      ['more than a dispute left', {}, { disputeLostAmount: 400 }, reversed(null), REPEAT],
      ['a part that a dispute left', {}, { disputeLostAmount: 400 }, reversed(500), { kind: 'changes' }],
    ] as const),
    [
      'a refund beside a lost dispute',
      { kind: 'refund' },
      { refundedAmount: 1000, disputeLostAmount: 1000 },
      reversed(1000),
      { kind: 'changes' },
    ],
  ])('with %s', (_, operation, transaction, reported, verdict) => {
    expect(decide(stateOf(operation, transaction), reported)).toMatchObject(verdict);
  });

  it('tells equal parts apart by the id of the provider alone', () => {
    const first = after(stateOf(), reversed(300, reversalKeyOf('one', 'event 1')));

    expect(decide(first, reversed(300, reversalKeyOf('one', 'event 2')))).toEqual({
      kind: 'none',
      finding: null,
    });
    expect(decide(first, reversed(301, reversalKeyOf('one', 'event 2')))).toMatchObject({
      finding: 'other_money',
    });
    expect(decide(first, reversed(300, reversalKeyOf('two', 'event 3'))).kind).toBe('changes');
    expect(decide(first, reversed(300, reversalKeyOf(null, 'event 4')))).toMatchObject({
      finding: 'possible_repeat',
    });
    expect(decide(first, reversed(200, reversalKeyOf(null, 'event 5'))).kind).toBe('changes');
  });

  it('keeps the outcome, and the sums of every order of parts', () => {
    for (let seed = 0; seed < 200; seed += 1) {
      const kind = seed % 2 === 0 ? 'capture' : 'refund';
      let state = stateOf({ kind }, { capturedAmount: 1000, refundedAmount: 1000 });
      for (let step = 1; step <= 8; step += 1) {
        const drawn = (seed * 7919 + step * 104_729) % 700;
        state = after(state, reversed(step % 5 === 0 ? null : drawn + 1, `reversal ${drawn % 5}`));
        const { operation, transaction } = state;
        const parts = (operation.reversals ?? []).reduce((sum, { amount }) => sum + amount, 0);
        expect(operation).toMatchObject({ status: 'succeeded', errorCode: null, reversedAmount: parts });
        expect(parts).toBeLessThanOrEqual(1000);
        const [captures, refunds] = kind === 'capture' ? [parts, 0] : [0, parts];
        expect(transaction).toMatchObject({
          ...{ status: 'capture_succeeded', capturedAmount: 1000 - captures, refundedAmount: 1000 - refunds },
          ...{ captureReversedAmount: captures, refundReversedAmount: refunds },
        });
      }
    }
  });
});

describe('the rule about an expiry', () => {
  const authorization = { kind: 'authorize' } as const;
  const open = { status: 'authorization_succeeded', capturedAmount: 0, captureClosed: false } as const;

  it.each<readonly [string, Partial<Operation>, Partial<Transaction>, object]>([
    ['a pending authorisation', { status: 'pending' }, { status: 'processing' }, { kind: 'waits' }],
    [
      'a declined one',
      { status: 'declined' },
      { status: 'authorization_declined' },
      { kind: 'none', finding: null },
    ],
    ['a capture under way', {}, { ...open, capturePendingAmount: 1 }, { kind: 'waits' }],
    ['an accepted capture', {}, { ...open, capturesAccepted: 1 }, { kind: 'waits' }],
    ['a release under way', {}, { ...open, voidPending: true }, { kind: 'waits' }],
    ['a released payment', {}, { status: 'authorization_voided' }, { kind: 'none', finding: null }],
    ['a closed payment', {}, { captureClosed: true }, { kind: 'none', finding: null }],
    ['gift cards alone', {}, { ...open, method: 'gift-card' }, { finding: 'unexpected_state' }],
  ])('with %s', (_, operation, transaction, verdict) => {
    expect(decide(stateOf({ ...authorization, ...operation }, transaction), expired)).toMatchObject(verdict);
  });

  it.each<readonly [string, number | null, Partial<Transaction>, object]>([
    ['before the renewal', -1, {}, { kind: 'none', finding: 'before_renewal' }],
    ['at the renewal', 0, {}, { kind: 'none', finding: 'before_renewal' }],
    ['after the renewal', 1, {}, { kind: 'changes', finding: null }],
    ['of no time', null, {}, { kind: 'asks' }],
    ['of no time, after a void', null, { status: 'authorization_voided' }, { kind: 'none', finding: null }],
    ['beside another renewal', 1, { reauthorizePending: true }, { kind: 'waits' }],
  ])('%s of a renewed authorisation', (_, ms, transaction, verdict) => {
    const at = ms === null ? null : new Date(NOW.getTime() + ms);
    const state = stateOf(authorization, { ...open, reauthorizedAt: NOW, ...transaction });

    expect(decide(state, { kind: 'expired', at, ...words })).toMatchObject(verdict);
  });

  it('of the renewal that the provider was asked after releases the money, whatever the clocks say', () => {
    const state = stateOf(authorization, { ...open, reauthorizedAt: NOW });
    const later = new Date(NOW.getTime() + 1);

    expect(decide(state, { ...expired, ofRenewal: NOW })).toMatchObject({ kind: 'changes' });
    expect(decide(state, { ...expired, ofRenewal: later })).toMatchObject({ kind: 'asks' });
  });

  it('releases the whole rest, with the gift cards and the review of the payment', () => {
    const verdict = decide(
      stateOf(authorization, {
        ...{ ...open, giftCardAmount: 200, fraudReview: 'pending', intent: 'capture' },
        intentOutcome: 'pending',
      }),
      expired,
    );

    expect(verdict).toMatchObject({
      kind: 'changes',
      changes: {
        transaction: {
          ...{ status: 'authorization_voided', captureClosed: true, expiredAt: NOW },
          ...{ errorCode: 'expired_authorization', intentOutcome: 'failed', fraudReview: 'ended' },
        },
        ledger: [{ kind: 'expire', amount: 1000, reversalKey: '' }],
        effects: { givesUpRedemptions: true },
      },
    });
  });

  it('ends the rest of a captured payment alone, and an over-capture leaves none', () => {
    const captured = (capturedAmount: number) =>
      decide(stateOf(authorization, { capturedAmount, captureClosed: false }), expired);

    expect(captured(300)).toMatchObject({
      changes: {
        transaction: { status: 'capture_succeeded', captureClosed: true, errorCode: null },
        ledger: [{ kind: 'expire', amount: 700 }],
        effects: { givesUpRedemptions: false },
      },
    });
    expect(captured(1100)).toMatchObject({ changes: { ledger: [] } });
  });
});
