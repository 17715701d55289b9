import type { Definition, Feature } from '../../../connectors/interface/definition.ts';
import { AMOUNT_MAX } from '../../../kernel/money.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import type { PaymentKind } from '../model/operation.ts';
import type {
  AuthorizationHeld,
  CaptureHeld,
  CaptureTooLarge,
  DisputeOpen,
  OperationNotAllowed,
  OperationNotSupported,
  RefundTooLarge,
} from '../model/refusals.ts';
import {
  authorizationChange,
  cancelable,
  changeable,
  GIFT_CARDS_ALONE,
  isCapturable,
  isHeldForReview,
  refundable,
  voidable,
  type Transaction,
} from '../model/transaction.ts';

/** The reason why an operation may not start. Null allows the start. */
export type Decision =
  | OperationNotAllowed
  | OperationNotSupported
  | InvalidInput
  | AuthorizationHeld
  | CaptureHeld
  | CaptureTooLarge
  | RefundTooLarge
  | DisputeOpen
  | null;

/** An operation after an authorisation. */
export type FollowUpKind = Exclude<PaymentKind, 'authorize' | 'release'>;

/**
 * The requested operation. `amount` is in minor units, and null means the whole remaining amount.
 * - `final`: the last capture.
 * - `force`: a refund in spite of an open dispute.
 */
export type Requested = {
  readonly kind: FollowUpKind;
  readonly amount: number | null;
  readonly final: boolean;
  readonly force: boolean;
};

/** A transaction, with everything else that decides about its operations. */
export type Subject = {
  readonly transaction: Transaction;
  /** The features of its payment service. */
  readonly features: Definition['supportedFeatures'];
  /** The amount above the authorised amount that the merchant account allows to capture, in minor units. */
  readonly allowance: number;
};

/**
 * Decides whether an operation may start. Pure. Null allows the start. The features of the service come first, then the status, then
 * the amount.
 *
 * This function explains, and the claim decides. Its twins are the statements `claim-<kind>.sql`, which check the same conditions on
 * the locked row. A property test keeps both equal. A change here needs the same change there.
 */
export function decideFollowUp(subject: Subject, requested: Requested): Decision {
  const feature = NEEDED[requested.kind];
  // Gift cards alone need no provider. There is no authorisation to change.
  const needsProvider = subject.transaction.method !== GIFT_CARDS_ALONE;
  if (!subject.features[feature] && (needsProvider || CHANGES.has(requested.kind)))
    return notSupported(requested.kind, feature);
  return deciders[requested.kind](subject, requested);
}

/** The kinds that change an authorisation. */
export const CHANGES: ReadonlySet<FollowUpKind> = new Set(['increase', 'reauthorize']);

/** The feature that each kind of operation needs. */
export const NEEDED = {
  increase: 'incremental_authorization',
  reauthorize: 'reauthorization',
  capture: 'delayed_capture',
  refund: 'refunds',
  void: 'void',
  cancel: 'cancel',
} as const satisfies Record<FollowUpKind, Feature>;

/** The feature that each kind needs for a part of the amount, or for a second operation. */
export const NEEDED_FOR_PARTS = {
  increase: 'incremental_authorization',
  reauthorize: 'reauthorization',
  capture: 'multiple_captures',
  refund: 'partial_refunds',
  void: 'void',
  cancel: 'cancel',
} as const satisfies Record<FollowUpKind, Feature>;

const deciders = {
  increase: decideIncrease,
  reauthorize: ({ transaction }: Subject) => decideChange('reauthorize', transaction),
  capture: decideCapture,
  refund: decideRefund,
  void: decideVoid,
  cancel: ({ transaction }: Subject) => (cancelable(transaction) ? null : notAllowed('cancel', transaction)),
} as const;

function decideCapture(
  { transaction, features, allowance }: Subject,
  { amount, final }: Requested,
): Decision {
  const { authorizedAmount, capturedAmount, capturePendingAmount, captureClosed, currency } = transaction;
  // A pending final capture may still be refused. Its amount then remains.
  if (captureClosed && capturePendingAmount > 0)
    return { kind: 'CaptureTooLarge', capturable: { amount: 0, currency } };
  if (!isCapturable(transaction)) {
    const held = heldBy(transaction) ?? (transaction.reauthorizePending ? heldByChange(transaction) : null);
    return held ?? notAllowed('capture', transaction);
  }
  if (!final && !features.multiple_captures) return notSupported('capture', 'multiple_captures');
  const taken = capturedAmount + capturePendingAmount;
  const most = Math.min(authorizedAmount + allowance, AMOUNT_MAX) - taken;
  const requested = amount ?? authorizedAmount - taken;
  const least = transaction.method === GIFT_CARDS_ALONE ? 0 : 1;
  if (requested >= least && requested <= most) return null;
  return { kind: 'CaptureTooLarge', capturable: { amount: Math.max(most, 0), currency } };
}

function decideIncrease({ transaction }: Subject, { amount }: Requested): Decision {
  const refusal = decideChange('increase', transaction);
  if (refusal) return refusal;
  if (transaction.splits) return invalidInput(['input', 'amount'], NO_SHARE);
  const left = AMOUNT_MAX - transaction.authorizedAmount;
  if (amount !== null && amount >= 1 && amount <= left) return null;
  return {
    ...{ kind: 'InvalidInput', path: ['input', 'amount'] },
    message: `An authorised amount is at most ${AMOUNT_MAX} minor units, so from 1 to ${left} can be added.`,
  };
}

const NO_SHARE = 'A payment with splits cannot be increased, because its splits make its amount.';

function decideChange(kind: 'increase' | 'reauthorize', transaction: Transaction): Decision {
  if (!changeable(transaction)) return notAllowed(kind, transaction);
  if (isHeldForReview(transaction)) return { kind: 'AuthorizationHeld', by: 'review' };
  return heldByChange(transaction);
}

/** Returns the refusal of an operation that only a change of the authorisation prevents. */
function heldByChange(transaction: Transaction): AuthorizationHeld | null {
  const by = authorizationChange(transaction);
  return by && { kind: 'AuthorizationHeld', by };
}

function decideVoid({ transaction }: Subject): Decision {
  if (voidable(transaction)) return null;
  const { status, capturedAmount, capturePendingAmount } = transaction;
  const isUncaptured = status === 'authorization_succeeded' && capturedAmount + capturePendingAmount === 0;
  return (isUncaptured && heldByChange(transaction)) || notAllowed('void', transaction);
}

/** Returns the refusal of a capture that only a review prevents. */
const heldBy = ({ status, voidPending, fraudReview: review }: Transaction): CaptureHeld | null =>
  status === 'authorization_succeeded' && !voidPending && (review === 'pending' || review === 'rejected')
    ? { kind: 'CaptureHeld', review }
    : null;

function decideRefund({ transaction, features }: Subject, { amount, force }: Requested): Decision {
  const { status, openDisputes } = transaction;
  if (status !== 'capture_succeeded') return notAllowed('refund', transaction);
  if (openDisputes > 0 && !force) return { kind: 'DisputeOpen', openDisputes };
  const left = refundable(transaction);
  const requested = amount ?? left.amount;
  if (requested < 1 || requested > left.amount) return { kind: 'RefundTooLarge', refundable: left };
  return requested === transaction.capturedAmount || features.partial_refunds
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
