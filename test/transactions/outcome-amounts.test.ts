import { describe, expect, it } from '@jest/globals';
import type { State } from '../../src/modules/transactions/settle/changes.ts';
import { settleChanges } from '../../src/modules/transactions/settle/settle-rules.ts';
import { acceptChanges } from '../../src/modules/transactions/settle/accept-rules.ts';
import type { FinalOutcome } from '../../src/modules/transactions/model/outcome.ts';
import type { Transaction } from '../../src/modules/transactions/model/transaction.ts';
import { decide, GIVEN, NOW, outcomeOf, SENT_AT, stateOf } from './outcomes.ts';

/** The changes of a transaction, without the fields that every outcome writes. */
const patchOf = (state: State, outcome: Parameters<typeof decide>[1]) => {
  const { updatedAt, ...patch } = decide(state, outcome)?.transaction ?? {};
  expect(updatedAt).toEqual(NOW);
  return patch;
};

const effectsOf = (state: State, outcome: Parameters<typeof decide>[1]) => decide(state, outcome)?.effects;

const ANSWERED = {
  paymentServiceTransactionId: 'said',
  rawResponseCode: '05',
  rawResponseDescription: 'Words',
  authResponseCode: null,
  avsResponseCode: null,
  cvvResponseCode: null,
  cardCountry: null,
};

const authorize = (fields: Partial<Transaction> = {}): State =>
  stateOf({ kind: 'authorize' }, { status: 'processing', intentOutcome: 'pending', ...fields });

/** A moment after the outcome. */
const after = (ms: number): Date => new Date(NOW.getTime() + ms);

describe('an authorisation', () => {
  it('that succeeds shows the answer and the amount', () => {
    expect(patchOf(authorize(), 'succeeded')).toEqual({
      ...ANSWERED,
      status: 'authorization_succeeded',
      errorCode: null,
      schemeTransactionId: null,
      authorizedAmount: 400,
      authorizedAt: NOW,
      intentOutcome: 'succeeded',
      fraudReview: null,
      capturedAmount: 0,
      captureClosed: false,
      capturedAt: null,
      voidPending: true,
    });
  });

  it('of a sale also captures, and ends a cancel that waits', () => {
    expect(patchOf(authorize({ intent: 'capture' }), 'succeeded')).toMatchObject({
      ...{ status: 'capture_succeeded', authorizedAmount: 400, capturedAmount: 400, capturedAt: NOW },
      ...{ captureClosed: true, voidPending: false, intentOutcome: 'succeeded' },
    });
    expect(patchOf(authorize({ voidPending: false }), 'succeeded').voidPending).toBe(false);
  });

  it('under review is not captured, whatever the intent', () => {
    const review = { antiFraudDecision: 'review', antiFraudServiceId: 'judge' } as const;
    expect(patchOf(authorize({ ...review, intent: 'capture' }), 'succeeded')).toMatchObject({
      ...{
        status: 'authorization_succeeded',
        fraudReview: 'pending',
        intentOutcome: 'pending',
        capturedAmount: 0,
      },
    });
    expect(patchOf(authorize(review), 'succeeded')).toMatchObject({
      ...{ fraudReview: 'pending', intentOutcome: 'succeeded' },
    });
    expect(effectsOf(authorize(review), 'succeeded')?.rematchesReviews).toBe(true);
    expect(effectsOf(authorize(), 'succeeded')?.rematchesReviews).toBe(false);
    expect(effectsOf(stateOf({}, review), 'succeeded')?.rematchesReviews).toBe(false);
  });

  it.each([
    ['declined', 'authorization_declined'],
    ['failed', 'authorization_failed'],
  ] as const)('that is %s shows the reason', (outcome, status) => {
    expect(patchOf(authorize(), outcome)).toEqual({
      ...{ ...ANSWERED, status, errorCode: 'issuer_decline', intentOutcome: 'failed' },
    });
    expect(patchOf(authorize({ capturesAccepted: 2 }), outcome).status).toBe(status);
  });

  it('shows the codes of the scheme and the provider’s reference', () => {
    const checks = { avsResponseCode: 'match', cvvResponseCode: 'no_match' } as const;
    const codes = { authResponseCode: '067563', ...checks, cardCountry: 'GB' };
    const outcome = { ...outcomeOf('succeeded'), ...codes, schemeTransactionId: 'scheme', reference: null };
    const settled = settleChanges(authorize(), outcome as FinalOutcome, GIVEN);
    expect(settled?.transaction).toMatchObject({
      ...{ ...codes, schemeTransactionId: 'scheme', paymentServiceTransactionId: 'known' },
    });
    expect(settled?.operation.providerReference).toBe('known');
  });

  it('keeps the country of the card when the provider names none', () => {
    expect(patchOf(authorize({ cardCountry: 'GB' }), 'succeeded').cardCountry).toBe('GB');
  });

  it('by gift cards alone has no reference of a provider', () => {
    expect(patchOf(authorize({ method: 'gift-card' }), 'succeeded').paymentServiceTransactionId).toBeNull();
  });
});

describe('a capture', () => {
  const accepted = { acceptedAt: SENT_AT };

  it('that succeeds moves its amount from the pending captures', () => {
    expect(patchOf(stateOf({}, { capturedAmount: 100 }), 'succeeded')).toEqual({
      ...{ status: 'capture_succeeded', capturePendingAmount: 400, capturesAccepted: 0 },
      ...{ capturedAmount: 500, capturedAt: NOW, intentOutcome: 'succeeded' },
    });
    expect(patchOf(stateOf({}, { intentOutcome: 'pending' }), 'succeeded').intentOutcome).toBe('succeeded');
    expect(patchOf(stateOf({}, { intentOutcome: 'failed' }), 'succeeded').intentOutcome).toBe('failed');
  });

  it('that is declined releases its amount, and the payment can be captured again', () => {
    expect(patchOf(stateOf({}), 'declined')).toEqual({
      ...{
        status: 'authorization_succeeded',
        capturePendingAmount: 400,
        capturesAccepted: 0,
        captureClosed: false,
      },
    });
    expect(patchOf(stateOf({}, { captureClosed: false }), 'declined').captureClosed).toBe(false);
  });

  it.each([
    [accepted, 1, 'authorization_succeeded', 0],
    [accepted, 2, 'capture_pending', 1],
    [{}, 1, 'capture_pending', 1],
  ] as const)(
    '(%j) that is declined as one of %d accepted leaves %s',
    (operation, capturesAccepted, status, left) => {
      expect(
        patchOf(stateOf(operation, { status: 'capture_pending', capturesAccepted }), 'declined'),
      ).toMatchObject({
        ...{ status, capturesAccepted: left },
      });
    },
  );

  it('that is accepted is counted, and moves no money', () => {
    expect(patchOf(stateOf({}), 'accepted')).toEqual({ status: 'capture_pending', capturesAccepted: 1 });
    expect(decide(stateOf({}), 'accepted')).toMatchObject({
      ...{ ledger: [], approval: null, ofSending: null },
      effects: { givesUpRedemptions: false, rematchesReviews: false, redemptionStatus: null },
      operation: {
        ...{ status: 'pending', acceptedAt: NOW, settledAt: null, errorCode: null },
        ...{ nextAttemptAt: after(60_000), decisionUntil: after(86_400_000) },
      },
    });
    expect(decide(stateOf({ acceptedAt: SENT_AT }), 'accepted')).toBeNull();
    expect(decide(stateOf({ status: 'succeeded' }), 'accepted')).toBeNull();
    expect(decide(stateOf({}, { status: 'authorization_voided' }), 'accepted')).toBeNull();
  });
});

describe('a refund', () => {
  const state = (redemptionId: string | null = null): State =>
    stateOf({ kind: 'refund', redemptionId }, { status: 'capture_succeeded', refundedAmount: 50 });

  it('that succeeds moves its amount from the pending refunds, and one to a gift card moves none', () => {
    expect(patchOf(state(), 'succeeded')).toEqual({
      ...{ status: 'capture_succeeded', refundPendingAmount: 0, refundedAmount: 450 },
    });
    expect(patchOf(state('redemption'), 'succeeded')).toEqual({
      ...{ status: 'capture_succeeded', refundPendingAmount: 400, refundedAmount: 50 },
    });
    expect(decide(state(), 'succeeded')?.ledger.map(({ kind }) => kind)).toEqual(['refund']);
    expect(decide(state('redemption'), 'succeeded')?.ledger.map(({ kind }) => kind)).toEqual([
      'gift_card_refund',
    ]);
  });

  it('that is declined releases its amount', () => {
    expect(patchOf(state(), 'declined')).toEqual({ status: 'capture_succeeded', refundPendingAmount: 0 });
    expect(patchOf(state('redemption'), 'failed').refundPendingAmount).toBe(400);
    expect(patchOf(state(), 'accepted')).toEqual({ status: 'capture_succeeded' });
  });
});

describe('a void', () => {
  const state = (fields: Partial<Transaction> = {}, acceptedAt: Date | null = null): State =>
    stateOf({ kind: 'void', acceptedAt }, { giftCardAmount: 100, ...fields });

  it.each([
    [null, null],
    ['pending', 'ended'],
    ['rejected', 'rejected'],
    ['accepted', 'accepted'],
  ] as const)('that succeeds with a review %s leaves the review %s', (fraudReview, after) => {
    expect(patchOf(state({ fraudReview, intentOutcome: 'pending' }), 'succeeded')).toEqual({
      ...{ status: 'authorization_voided', voidPending: false, voidedAt: NOW },
      ...{ intentOutcome: 'failed', fraudReview: after },
    });
  });

  it('that succeeds writes one ledger entry and reverses gift cards', () => {
    expect(decide(state(), 'succeeded')).toMatchObject({
      ledger: [{ kind: 'void' }],
      effects: { givesUpRedemptions: true },
    });
    expect(effectsOf(state({ giftCardAmount: 0 }), 'succeeded')?.givesUpRedemptions).toBe(false);
    expect(effectsOf(state({ antiFraudServiceId: 'judge' }), 'succeeded')?.rematchesReviews).toBe(true);
  });

  it('that is declined changes the status only after it was accepted', () => {
    const status = 'authorization_void_pending';
    expect(patchOf(state(), 'declined')).toEqual({ status: 'authorization_succeeded', voidPending: false });
    expect(patchOf(state({ status }), 'declined').status).toBe(status);
    expect(patchOf(state({ status }, SENT_AT), 'declined').status).toBe('authorization_succeeded');
    expect(effectsOf(state({ status }, SENT_AT), 'declined')?.givesUpRedemptions).toBe(false);
  });
});

describe('a cancel', () => {
  const state = (fields: Partial<Transaction>): State => stateOf({ kind: 'cancel' }, fields);

  it('that succeeds ends a payment that was not authorised', () => {
    expect(patchOf(state({ status: 'processing', intentOutcome: 'pending' }), 'succeeded')).toEqual({
      ...{ status: 'authorization_failed', voidPending: false, intentOutcome: 'failed', fraudReview: null },
      ...{ errorCode: 'canceled', canceledAt: NOW, voidedAt: null },
    });
    expect(decide(state({ status: 'processing' }), 'succeeded')?.ledger).toEqual([]);
  });

  it('that succeeds releases an authorised payment', () => {
    expect(patchOf(state({ fraudReview: 'pending', intentOutcome: 'pending' }), 'succeeded')).toEqual({
      ...{
        status: 'authorization_voided',
        voidPending: false,
        intentOutcome: 'failed',
        fraudReview: 'ended',
      },
      ...{ errorCode: null, canceledAt: null, voidedAt: NOW },
    });
    expect(patchOf(state({}), 'succeeded').intentOutcome).toBe('succeeded');
    expect(decide(state({}), 'succeeded')?.ledger.map(({ kind }) => kind)).toEqual(['void']);
  });

  it.each(['authorization_declined', 'authorization_failed'] as const)(
    'finds a payment in %s over',
    (status) => {
      const over = { status, errorCode: 'insufficient_funds', intentOutcome: 'failed' } as const;
      expect(patchOf(state(over), 'succeeded')).toEqual({
        ...{ ...over, voidPending: false, fraudReview: null, canceledAt: null, voidedAt: null },
      });
    },
  );

  it('that fails only frees the payment', () => {
    expect(patchOf(state({ status: 'processing' }), 'failed')).toEqual({
      status: 'processing',
      voidPending: false,
    });
  });
});

describe('a gift card', () => {
  it.each([
    ['redeem', 'succeeded', 'processing', 'succeeded'],
    ['redeem', 'succeeded', 'authorization_failed', 'reversing'],
    ['redeem', 'declined', 'processing', 'failed'],
    ['redeem', 'failed', 'authorization_failed', 'failed'],
    ['unredeem', 'succeeded', 'authorization_failed', 'reversed'],
    ['unredeem', 'failed', 'authorization_failed', 'succeeded'],
    ['capture', 'succeeded', 'authorization_succeeded', null],
  ] as const)('%s that %s in %s leaves the redemption %s', (kind, outcome, status, redemption) => {
    const state = stateOf({ kind, redemptionId: 'redemption' }, { status });
    expect(effectsOf(state, outcome)?.redemptionStatus).toBe(redemption);
    if (kind !== 'capture') expect(patchOf(state, outcome)).toEqual({ status });
  });
});

describe('an authorisation that waits for the buyer', () => {
  const words = { reference: 'said', rawResponseCode: null, rawResponseDescription: null };

  it('has until an hour after the end of the approval, if that is later', () => {
    const untilOf = (approvalExpiresAt: Date) =>
      acceptChanges(
        authorize({ approvalExpiresAt }),
        { kind: 'accepted', reference: 'said', rawResponseCode: null, rawResponseDescription: null },
        {
          ...GIVEN,
          awaited: { kind: 'redirect', token: 't' } as never,
          decisionWindowMs: 86_400_000,
          toldWithinMs: 0,
        },
      )?.operation.decisionUntil;

    expect([untilOf(after(3_600_000)), untilOf(after(172_800_000))]).toEqual([
      after(86_400_000),
      after(176_400_000),
    ]);
  });

  it.each([
    ['a code that ends sooner', -60_000, 0, { shown: -60_000, ended: -60_000 }],
    ['a code that ends later', 60_000, 0, { shown: null, ended: 0 }],
    ['a voucher that ends sooner', -60_000, 86_400_000, { shown: -60_000, ended: 86_400_000 }],
    ['a voucher that ends later', 60_000, 86_400_000, { shown: null, ended: 86_460_000 }],
    ['a voucher without an end', null, 86_400_000, { shown: null, ended: 86_400_000 }],
    ['a code that has ended', -7_200_000, 0, { shown: null, ended: 0 }],
  ])('by %s has the right end', (_, other, toldWithinMs, { shown, ended }) => {
    const own = 3_600_000;
    const changes = acceptChanges(
      authorize({ approvalExpiresAt: after(own) }),
      { kind: 'accepted', ...words, ...(other !== null && { expiresAt: after(own + other) }) },
      {
        ...{ ...GIVEN, awaited: { kind: 'voucher', token: 't' } as never },
        ...{ decisionWindowMs: 0, toldWithinMs },
      },
    );
    expect(changes?.transaction.approvalExpiresAt).toEqual(shown === null ? undefined : after(own + shown));
    expect(changes?.approval?.expiresAt).toEqual(after(own + ended));
    expect(changes?.operation.decisionUntil).toEqual(after(own + ended + 3_600_000));
  });

  const expiresAt = new Date('2026-05-01T13:00:00.000Z');
  const accept = (kind: 'redirect' | 'session' | 'voucher', fields: Partial<Transaction> = {}) =>
    acceptChanges(
      authorize({ approvalExpiresAt: expiresAt, ...fields }),
      { kind: 'accepted', ...words, approvalUrl: 'https://buyer', paymentReference: 'slip' },
      {
        ...GIVEN,
        awaited: { kind, token: 't', approvalUrl: 'https://next' } as never,
        decisionWindowMs: 86_400_000,
        toldWithinMs: 0,
      },
    );

  it.each([
    ['redirect', 'buyer_approval_pending'],
    ['session', 'buyer_approval_pending'],
    ['voucher', 'processing'],
  ] as const)('by %s is in %s', (kind, status) => {
    const changes = accept(kind);
    expect(changes?.transaction).toEqual({
      ...{ status, paymentServiceTransactionId: 'said', captureClosed: false, updatedAt: NOW },
      ...{ approvalUrl: 'https://next', paymentReference: 'slip' },
    });
    expect(changes?.approval).toMatchObject({ kind, expiresAt });
    expect(accept(kind, { approvalExpiresAt: null })?.approval).toBeNull();
    expect(accept(kind, { intent: 'capture' })?.transaction.captureClosed).toBe(true);
  });

  it('without an address or a slip shows none', () => {
    const patch = acceptChanges(
      authorize(),
      { kind: 'accepted', ...words },
      { ...GIVEN, awaited: null, decisionWindowMs: 86_400_000, toldWithinMs: 0 },
    );
    expect(patch?.transaction).toMatchObject({
      approvalUrl: null,
      paymentReference: null,
      status: 'processing',
    });
    expect(patch?.operation).toMatchObject({
      nextAttemptAt: after(60_000),
      decisionUntil: after(86_400_000),
    });
  });
});
