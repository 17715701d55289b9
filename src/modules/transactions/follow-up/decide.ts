import type { Definition, Feature } from '../../../connectors/definition.ts';
import { AMOUNT_MAX } from '../../../kernel/money.ts';
import type { PaymentKind } from '../model/operation.ts';
import type {
  CaptureHeld,
  CaptureTooLarge,
  OperationNotAllowed,
  OperationNotSupported,
  RefundTooLarge,
} from '../model/refusals.ts';
import {
  cancelable,
  GIFT_CARDS_ALONE,
  isCapturable,
  refundable,
  voidable,
  type Transaction,
} from '../model/transaction.ts';

/** Why an operation may not start; null: it may. */
export type Decision =
  | OperationNotAllowed
  | OperationNotSupported
  | CaptureHeld
  | CaptureTooLarge
  | RefundTooLarge
  | null;

/** An operation that follows an authorisation. */
export type FollowUpKind = Exclude<PaymentKind, 'authorize'>;

/** What is asked. amount: minor units; null means all that is left. final: of a capture, nothing is captured after it. */
export type Asked = { readonly kind: FollowUpKind; readonly amount: number | null; readonly final: boolean };

/** A transaction with what else decides about it. */
export type Subject = {
  readonly transaction: Transaction;
  /** What its payment service can do. */
  readonly features: Definition['supportedFeatures'];
  /** How many minor units more than authorised the merchant account allows to capture. */
  readonly allowance: number;
};

/**
 * Whether an operation may start, as a pure question: null is yes. The claim statement asks the same of the locked row;
 * a property test keeps the two equal. First what the service cannot do at all, then the status, then the amount.
 */
export function decide(subject: Subject, asked: Asked): Decision {
  const feature = NEEDED[asked.kind];
  // Where gift cards pay alone, nobody is asked.
  if (subject.transaction.method !== GIFT_CARDS_ALONE && !subject.features[feature])
    return notSupported(asked.kind, feature);
  return deciders[asked.kind](subject, asked);
}

/** The feature without which a definition cannot do a kind of operation. */
export const NEEDED = {
  capture: 'delayed_capture',
  refund: 'refunds',
  void: 'void',
  cancel: 'cancel',
} as const satisfies Record<FollowUpKind, Feature>;

/** The feature without which it can do it only once, and whole. */
export const NEEDED_FOR_PARTS = {
  capture: 'multiple_captures',
  refund: 'partial_refunds',
  void: 'void',
  cancel: 'cancel',
} as const satisfies Record<FollowUpKind, Feature>;

const deciders = {
  capture: decideCapture,
  refund: decideRefund,
  void: ({ transaction }: Subject) => (voidable(transaction) ? null : notAllowed('void', transaction)),
  cancel: ({ transaction }: Subject) => (cancelable(transaction) ? null : notAllowed('cancel', transaction)),
} as const;

function decideCapture({ transaction, features, allowance }: Subject, { amount, final }: Asked): Decision {
  const { authorizedAmount, capturedAmount, capturePendingAmount, captureClosed, currency } = transaction;
  // A last capture that is under way may still be refused, and what it takes be left again.
  if (captureClosed && capturePendingAmount > 0)
    return { kind: 'CaptureTooLarge', capturable: { amount: 0, currency } };
  if (!isCapturable(transaction)) return heldBy(transaction) ?? notAllowed('capture', transaction);
  if (!final && !features.multiple_captures) return notSupported('capture', 'multiple_captures');
  const taken = capturedAmount + capturePendingAmount;
  const most = Math.min(authorizedAmount + allowance, AMOUNT_MAX) - taken;
  const asked = amount ?? authorizedAmount - taken;
  const least = transaction.method === GIFT_CARDS_ALONE ? 0 : 1;
  if (asked >= least && asked <= most) return null;
  return { kind: 'CaptureTooLarge', capturable: { amount: Math.max(most, 0), currency } };
}

/** Of one that could be captured but for its review. */
const heldBy = ({ status, voidPending, fraudReview: review }: Transaction): CaptureHeld | null =>
  status === 'authorization_succeeded' && !voidPending && (review === 'pending' || review === 'rejected')
    ? { kind: 'CaptureHeld', review }
    : null;

function decideRefund({ transaction, features }: Subject, { amount }: Asked): Decision {
  if (transaction.status !== 'capture_succeeded') return notAllowed('refund', transaction);
  const left = refundable(transaction);
  const asked = amount ?? left.amount;
  if (asked < 1 || asked > left.amount) return { kind: 'RefundTooLarge', refundable: left };
  return asked === transaction.capturedAmount || features.partial_refunds
    ? null
    : notSupported('refund', 'partial_refunds');
}

const notAllowed = (operation: PaymentKind, { status }: Transaction): OperationNotAllowed => ({
  kind: 'OperationNotAllowed',
  operation,
  status,
});

const notSupported = (operation: PaymentKind, feature: Feature): OperationNotSupported => ({
  kind: 'OperationNotSupported',
  operation,
  feature,
});
