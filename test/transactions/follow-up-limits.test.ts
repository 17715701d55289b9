import { describe, expect, it, test } from '@jest/globals';
import {
  decideFollowUp,
  type FollowUpKind,
  type Subject,
} from '../../src/modules/transactions/follow-up-claim/decide-follow-up.ts';
import { skipsRetry } from '../../src/modules/transactions/model/retriable.ts';
import {
  isHeldForReview,
  isSale,
  type Transaction,
} from '../../src/modules/transactions/model/transaction.ts';
import {
  currentApprovalExpiresAt,
  currentApprovalUrl,
} from '../../src/modules/transactions/model/waiting-buyer.ts';
import { transactionOf } from './outcomes.ts';

const FEATURES = {
  ...{ cancel: true, delayed_capture: true, multiple_captures: true },
  ...{ partial_refunds: true, refunds: true, void: true },
} as Subject['features'];

const subject = (fields: Partial<Transaction>, features: Subject['features'] = FEATURES): Subject => ({
  transaction: transactionOf({
    ...{ capturePendingAmount: 0, refundPendingAmount: 0, voidPending: false, captureClosed: false },
    ...fields,
  }),
  features,
  allowance: 50,
});

const ask = (kind: FollowUpKind, amount: number | null = null, final = true) => ({
  ...{ kind, amount, final, force: false },
});

const tooMuch = (amount: number) => ({ kind: 'CaptureTooLarge', capturable: { amount, currency: 'USD' } });

describe('a capture', () => {
  it('counts confirmed and pending captures', () => {
    const partly = subject({ capturedAmount: 300, capturePendingAmount: 200 });
    expect(decideFollowUp(partly, ask('capture', 550))).toBeNull();
    expect(decideFollowUp(partly, ask('capture', 551))).toEqual(tooMuch(550));
    expect(decideFollowUp(partly, ask('capture'))).toBeNull();
    expect(decideFollowUp(subject({ capturedAmount: 1040 }), ask('capture', 11))).toEqual(tooMuch(10));
    expect(decideFollowUp(subject({ capturedAmount: 2000 }), ask('capture', 1))).toEqual(tooMuch(0));
    expect(decideFollowUp(subject({ capturedAmount: 1000 }), ask('capture'))).toEqual(tooMuch(50));
    expect(decideFollowUp(subject({}), ask('capture', 0))).toEqual(tooMuch(1050));
  });

  it('that is final and pending leaves nothing to capture, and a decline opens the payment again', () => {
    const closing = subject({ captureClosed: true, capturePendingAmount: 1 });
    expect(decideFollowUp(closing, ask('capture', 1))).toEqual(tooMuch(0));
    expect(decideFollowUp(subject({ captureClosed: true }), ask('capture', 1))).toEqual({
      ...{ kind: 'OperationNotAllowed', operation: 'capture', status: 'authorization_succeeded' },
    });
  });

  it('that is not final needs a service with several captures', () => {
    const once = subject({}, { ...FEATURES, multiple_captures: false });
    expect(decideFollowUp(once, ask('capture', 10))).toBeNull();
    expect(decideFollowUp(once, ask('capture', 10, false))).toEqual({
      ...{ kind: 'OperationNotSupported', operation: 'capture', feature: 'multiple_captures' },
    });
    expect(decideFollowUp(subject({}), ask('capture', 10, false))).toBeNull();
  });

  it('of a payment by gift cards alone may be of zero, and needs no feature', () => {
    const none = Object.fromEntries(
      Object.keys(FEATURES).map((name) => [name, false]),
    ) as Subject['features'];
    const alone = subject({ method: 'gift-card', authorizedAmount: 0, giftCardAmount: 1000 }, none);
    expect(decideFollowUp(alone, ask('capture', 0))).toBeNull();
    expect(decideFollowUp(alone, ask('capture'))).toBeNull();
    expect(decideFollowUp(alone, ask('void'))).toBeNull();
  });

  it.each([
    ['pending', { kind: 'CaptureHeld', review: 'pending' }],
    ['rejected', { kind: 'CaptureHeld', review: 'rejected' }],
    ['ended', { kind: 'OperationNotAllowed', operation: 'capture', status: 'authorization_succeeded' }],
    ['accepted', null],
    [null, null],
  ] as const)('with a review %s gets %j', (fraudReview, decision) => {
    expect(decideFollowUp(subject({ fraudReview }), ask('capture', 1))).toEqual(decision);
  });

  it('that a release prevents is not held by a review', () => {
    expect(decideFollowUp(subject({ fraudReview: 'pending', voidPending: true }), ask('capture', 1))).toEqual(
      {
        ...{ kind: 'OperationNotAllowed', operation: 'capture', status: 'authorization_succeeded' },
      },
    );
    expect(
      decideFollowUp(subject({ fraudReview: 'pending', status: 'authorization_voided' }), ask('capture', 1)),
    ).toEqual({
      ...{ kind: 'OperationNotAllowed', operation: 'capture', status: 'authorization_voided' },
    });
  });
});

describe('a refund', () => {
  const captured = { status: 'capture_succeeded', capturedAmount: 400 } as const;

  it.each([
    [{}, 400, null],
    [{}, 1, null],
    [{}, 0, 400],
    [{}, 401, 400],
    [{ refundedAmount: 100, refundPendingAmount: 50 }, 250, null],
    [{ refundedAmount: 100, refundPendingAmount: 50 }, 251, 250],
    [{ refundedAmount: 400 }, null, 0],
  ])('(%j) of %s may refund at most %s', (fields, amount, left) => {
    expect(decideFollowUp(subject({ ...captured, ...fields }), ask('refund', amount))).toEqual(
      left === null ? null : { kind: 'RefundTooLarge', refundable: { amount: left, currency: 'USD' } },
    );
  });

  it('of a part needs a service that refunds parts', () => {
    const whole = { ...FEATURES, partial_refunds: false };
    expect(decideFollowUp(subject(captured, whole), ask('refund', 400))).toBeNull();
    expect(decideFollowUp(subject(captured, whole), ask('refund', 399))).toEqual({
      ...{ kind: 'OperationNotSupported', operation: 'refund', feature: 'partial_refunds' },
    });
  });

  it('needs a captured payment', () => {
    expect(decideFollowUp(subject({}), ask('refund', 1))).toEqual({
      ...{ kind: 'OperationNotAllowed', operation: 'refund', status: 'authorization_succeeded' },
    });
  });
});

test.each([
  ['void', 'capture_succeeded'],
  ['cancel', 'authorization_succeeded'],
] as const)('a %s of a payment in %s is refused', (kind, status) => {
  expect(decideFollowUp(subject({ status }), ask(kind))).toEqual({
    kind: 'OperationNotAllowed',
    operation: kind,
    status,
  });
});

test('a cancel under way prevents another', () => {
  expect(decideFollowUp(subject({ status: 'processing' }), ask('cancel'))).toBeNull();
  expect(decideFollowUp(subject({ status: 'processing', voidPending: true }), ask('cancel'))).not.toBeNull();
});

test.each([
  ['buyer_approval_pending', null, 'https://buyer'],
  ['processing', null, null],
  ['processing', 'slip', 'https://buyer'],
  ['buyer_approval_pending', 'slip', null],
  ['authorization_succeeded', 'slip', null],
] as const)('in %s with the reference %s, the buyer opens %s', (status, paymentReference, url) => {
  const approvalExpiresAt = new Date('2026-05-02T12:00:00.000Z');
  const given = transactionOf({ status, paymentReference, approvalUrl: 'https://buyer', approvalExpiresAt });
  expect(currentApprovalUrl(given)).toBe(url);
  expect(currentApprovalExpiresAt(given)).toBe(url === null ? null : approvalExpiresAt);
});

test('a sale captures at once, unless a review holds the payment', () => {
  const sale = (intent: 'authorize' | 'capture', antiFraudDecision: Transaction['antiFraudDecision']) =>
    isSale({ intent, antiFraudDecision });
  expect([sale('capture', null), sale('capture', 'accept'), sale('capture', 'review')]).toEqual([
    true,
    true,
    false,
  ]);
  expect([sale('authorize', null), sale('authorize', 'review')]).toEqual([false, false]);
  const held = (fraudReview: Transaction['fraudReview']) => isHeldForReview(transactionOf({ fraudReview }));
  expect((['pending', 'rejected', 'ended', 'accepted', null] as const).map(held)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
});

test('a merchant forbids further attempts for one definition', () => {
  const options = { 'mock-card': { skip_retry: true }, 'mock-acquirer': { skip_retry: 'true' } };
  expect(skipsRetry(options, 'mock-card')).toBe(true);
  expect(skipsRetry(options, 'mock-acquirer')).toBe(false);
  expect(skipsRetry(options, 'another')).toBe(false);
  expect(skipsRetry(null, 'mock-card')).toBe(false);
});
