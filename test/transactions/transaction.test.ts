import { describe, expect, it } from '@jest/globals';
import {
  decideFollowUp,
  type FollowUpKind,
  type Subject,
} from '../../src/modules/transactions/follow-up-claim/decide-follow-up.ts';
import { lifecycleEventOf } from '../../src/modules/transactions/model/operation.ts';
import {
  capturable,
  lifecycle,
  refundable,
  voidable,
  waysOf,
  type Transaction,
} from '../../src/modules/transactions/model/transaction.ts';

const statuses = Object.keys(lifecycle) as Transaction['status'][];

const transaction = (fields: Partial<Transaction>): Transaction =>
  ({
    status: 'authorization_succeeded',
    currency: 'USD',
    authorizedAmount: 1000,
    capturedAmount: 0,
    capturePendingAmount: 0,
    refundedAmount: 0,
    giftCardAmount: 0,
    refundPendingAmount: 0,
    voidPending: false,
    captureClosed: false,
    ...fields,
  }) as Transaction;

describe('the lifecycle', () => {
  it('ends in four statuses, which only the provider itself or a plan of later tries can leave', () => {
    const terminal = statuses.filter((status) =>
      Object.entries(lifecycle[status]).every(
        ([event, after]) => after === status || event === 'retry' || event.endsWith('_elsewhere'),
      ),
    );

    expect(terminal.sort()).toEqual([
      'authorization_declined',
      'authorization_failed',
      'authorization_voided',
      'capture_succeeded',
    ]);
  });

  it('reaches every status from the first one', () => {
    const reached = new Set<Transaction['status']>(['processing']);
    for (const status of reached) for (const next of Object.values(lifecycle[status])) reached.add(next);

    expect([...reached].sort()).toEqual(statuses.toSorted());
  });

  it.each([
    [
      'capture',
      {
        authorization_succeeded: 'capture_succeeded',
        capture_pending: 'capture_succeeded',
        capture_succeeded: 'capture_succeeded',
      },
    ],
    [
      'void',
      { authorization_succeeded: 'authorization_voided', authorization_void_pending: 'authorization_voided' },
    ],
    [
      'cancel',
      {
        processing: 'authorization_failed',
        buyer_approval_pending: 'authorization_failed',
        capture_pending: 'authorization_failed',
        authorization_succeeded: 'authorization_voided',
        authorization_declined: 'authorization_declined',
        authorization_failed: 'authorization_failed',
      },
    ],
    ['retry', { authorization_declined: 'processing', authorization_failed: 'processing' }],
    ['reverse_capture', { capture_succeeded: 'capture_succeeded' }],
    ['expire', { authorization_succeeded: 'authorization_voided', capture_succeeded: 'capture_succeeded' }],
  ] as const)('opens on %s the ways %j and no other', (event, ways) => {
    expect(waysOf(event)).toEqual(ways);
  });

  it.each([
    ['authorize', 'authorize', 'succeeded', 'authorize'],
    ['authorize', 'capture', 'succeeded', 'sale'],
    ['authorize', 'authorize', 'accepted', null],
    ['authorize', 'capture', 'accepted', 'accept_sale'],
    ['capture', 'authorize', 'accepted', 'accept_capture'],
    ['void', 'authorize', 'accepted', 'accept_void'],
    ['refund', 'authorize', 'accepted', null],
    ['cancel', 'authorize', 'succeeded', 'cancel'],
    ['cancel', 'authorize', 'failed', null],
    ['authorize', 'authorize', 'declined', 'decline'],
    ['authorize', 'capture', 'failed', 'fail'],
    ['capture', 'authorize', 'succeeded', 'capture'],
    ['capture', 'authorize', 'declined', 'refuse_capture'],
    ['refund', 'authorize', 'succeeded', null],
    ['void', 'authorize', 'succeeded', 'void'],
    ['void', 'authorize', 'failed', 'refuse_void'],
  ] as const)('%s with intent %s that %s means %s', (kind, intent, outcome, event) => {
    expect(lifecycleEventOf(kind, intent === 'capture', outcome)).toBe(event);
  });
});

describe('the rest', () => {
  it.each([
    [{}, 1000, 0, true],
    [{ capturePendingAmount: 400, captureClosed: true }, 0, 0, false],
    [{ capturePendingAmount: 400 }, 600, 0, false],
    [{ voidPending: true }, 0, 0, false],
    [{ status: 'capture_succeeded', capturedAmount: 1000, captureClosed: true }, 0, 1000, false],
    [{ status: 'capture_succeeded', capturedAmount: 400 }, 600, 400, false],
    [{ status: 'capture_succeeded', capturedAmount: 400, captureClosed: true }, 0, 400, false],
    [
      { status: 'capture_succeeded', capturedAmount: 1000, refundedAmount: 300, refundPendingAmount: 200 },
      0,
      500,
      false,
    ],
    [{ status: 'authorization_voided' }, 0, 0, false],
    // A capture was reversed after its refund.
    [{ status: 'capture_succeeded', refundedAmount: 700, captureClosed: true }, 0, 0, false],
    [{ status: 'processing', authorizedAmount: 0 }, 0, 0, false],
    [{ authorizedAmount: 0 }, 0, 0, false],
    [{ authorizedAmount: 0, giftCardAmount: 1000 }, 0, 0, true],
    [{ authorizedAmount: 0, giftCardAmount: 1000, captureClosed: true }, 0, 0, false],
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
  const everything = Object.fromEntries(
    ['cancel', 'delayed_capture', 'multiple_captures', 'partial_refunds', 'refunds', 'void'].map((name) => [
      name,
      true,
    ]),
  ) as Subject['features'];
  const subject = (fields: Partial<Transaction>, rest: Partial<Subject> = {}): Subject => ({
    transaction: transaction(fields),
    features: everything,
    allowance: 0,
    ...rest,
  });
  const ask = (kind: FollowUpKind, amount: number | null = null, final = true) => ({
    ...{ kind, amount, final, force: false },
  });
  const captured = subject({ status: 'capture_succeeded', capturedAmount: 1000, captureClosed: true });

  it('checks the status before the amount', () => {
    expect(decideFollowUp(captured, ask('capture', 99_999))).toEqual({
      kind: 'OperationNotAllowed',
      operation: 'capture',
      status: 'capture_succeeded',
    });
    expect(decideFollowUp(subject({}), ask('capture', 1001))).toEqual({
      kind: 'CaptureTooLarge',
      capturable: { amount: 1000, currency: 'USD' },
    });
    expect(decideFollowUp(captured, ask('refund', 1001))).toEqual({
      kind: 'RefundTooLarge',
      refundable: { amount: 1000, currency: 'USD' },
    });
  });

  it('lets the rest, or all of it, through', () => {
    expect(decideFollowUp(subject({}), ask('capture', 1000))).toBeNull();
    expect(decideFollowUp(subject({}), ask('capture'))).toBeNull();
    expect(decideFollowUp(captured, ask('refund'))).toBeNull();
    expect(decideFollowUp(subject({}), ask('void'))).toBeNull();
    expect(decideFollowUp(subject({ status: 'processing' }), ask('cancel'))).toBeNull();
  });

  it('allows a capture above the authorised amount within the merchant account’s limit, and says so', () => {
    expect(decideFollowUp(subject({}, { allowance: 150 }), ask('capture', 1150))).toBeNull();
    expect(decideFollowUp(subject({}, { allowance: 150 }), ask('capture', 1151))).toEqual({
      kind: 'CaptureTooLarge',
      capturable: { amount: 1150, currency: 'USD' },
    });
    expect(
      decideFollowUp(
        subject({ authorizedAmount: 99_999_999 }, { allowance: 1 }),
        ask('capture', 100_000_000),
      ),
    ).toEqual({
      kind: 'CaptureTooLarge',
      capturable: { amount: 99_999_999, currency: 'USD' },
    });
  });

  it.each([
    ['capture', 'delayed_capture', null],
    ['capture', 'multiple_captures', 500],
    ['refund', 'refunds', null],
    ['refund', 'partial_refunds', 500],
    ['void', 'void', null],
    ['cancel', 'cancel', null],
  ] as const)('refuses a %s of a service without %s', (kind, feature, amount) => {
    const features = { ...everything, [feature]: false };
    const given = kind === 'refund' ? captured : subject(kind === 'cancel' ? { status: 'processing' } : {});

    expect(
      decideFollowUp({ ...given, features }, ask(kind, amount, kind !== 'capture' || amount === null)),
    ).toEqual({
      kind: 'OperationNotSupported',
      operation: kind,
      feature,
    });
  });
});
