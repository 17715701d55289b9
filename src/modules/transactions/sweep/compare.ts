import type { ProviderBooks } from '../../../connectors/notices/books.ts';
import type { Notice } from '../../../connectors/notices/webhook.ts';
import type { Operation } from '../model/operation.ts';
import { providerKeyOf } from '../model/provider-keys.ts';
import type { Transaction } from '../model/transaction.ts';
import type { SweptPayment } from './store/sweeps.sql.ts';

/** The parts of the books of a payment that only one side has. */
export type Compared = {
  /** The provider's operations that are not recorded here. */
  readonly unknown: readonly Notice[];
  /** The operations that succeeded here, and that the provider does not know. */
  readonly missing: readonly Operation[];
};

/**
 * Compares a payment with the books of its provider. Pure. An operation under way is left to reconciliation.
 *
 * - `settledBefore`: an operation that succeeded later may be too young for the books.
 * - `isLost`: true for an operation that a restore lost, whatever its id at the provider.
 * - `isReported`: true after a webhook about the payment. The outcome of an operation under way is then told, too. So
 *   is the approval of an authorisation that was refused here.
 */
export function compareBooks(
  payment: SweptPayment,
  { notices }: Pick<ProviderBooks, 'notices'>,
  { settledBefore, isLost, isReported }: Comparison,
): Compared {
  const tells = (notice: Notice): boolean =>
    isLost(notice) || !isRecorded(payment, notice) || (isReported && isNews(payment, notice));
  return {
    unknown: notices.filter(tells),
    missing: payment.operations.filter(
      (operation) =>
        mustBeKnown(operation, settledBefore) &&
        !notices.some((notice) => isAbout(operation, notice) || isInSum(payment, operation, notice)),
    ),
  };
}

type Comparison = {
  readonly settledBefore: Date;
  readonly isLost: (notice: Notice) => boolean;
  readonly isReported: boolean;
};

/** True for the outcome of an operation that has none here, and for an authorisation that was refused here before. */
function isNews({ operations }: SweptPayment, notice: Notice): boolean {
  const { kind } = notice.outcome;
  const own = operations.filter((operation) => isAbout(operation, notice));
  if (kind === 'succeeded' && notice.verb === 'authorize' && isRefused(own)) return true;
  return kind !== 'accepted' && own.some(({ status }) => status === 'pending');
}

function isRecorded({ transaction, operations }: SweptPayment, notice: Notice): boolean {
  const { outcome, verb, total } = notice;
  const own = operations.find((operation) => isAbout(operation, notice));
  switch (outcome.kind) {
    case 'expired':
      return isEnded(transaction);
    case 'reversed':
      return own !== undefined && isReversed(own, outcome);
    case 'succeeded':
      // The authorisation is what the payment began with.
      if (verb === 'authorize' || verb === 'reauthorize') return true;
      if (own?.status === 'pending' || own?.status === 'succeeded') return true;
      if (verb === 'void' || verb === 'cancel') return isEnded(transaction);
      if (total && verb === 'increase') return total.amount <= transaction.authorizedAmount;
      if (total && verb === 'capture') return total.amount <= takenOf(transaction);
      return false;
    default:
      // A refusal, an acceptance or a token moved no money.
      return true;
  }
}

const isRefused = (own: readonly Operation[]): boolean =>
  own.length > 0 && own.every(({ status }) => status === 'declined' || status === 'failed');

/** True if nothing more of the authorisation can be captured. */
const isEnded = ({ status, captureClosed, voidPending }: Transaction): boolean =>
  status === 'authorization_voided' || captureClosed || voidPending;

const takenOf = ({ capturedAmount, captureReversedAmount, capturePendingAmount }: Transaction): number =>
  capturedAmount + captureReversedAmount + capturePendingAmount;

type Reversed = Extract<Notice['outcome'], { readonly kind: 'reversed' }>;

const isReversed = ({ amount, reversedAmount, reversals }: Operation, outcome: Reversed): boolean =>
  outcome.money === null || outcome.money.amount >= amount
    ? reversedAmount === amount
    : (reversals ?? []).some(({ key }) => key === `reversal ${outcome.reversalReference ?? ''}`);

/**
 * True if a notice names an operation, by our key or by the provider's id. The key may be a copy of another operation's. A sale
 * captures by its authorisation.
 */
const isAbout = (operation: Operation, { key, reference, verb }: Notice): boolean =>
  (operation.kind === verb || (verb === 'capture' && operation.kind === 'authorize')) &&
  ((key !== null && providerKeyOf(operation) === key) ||
    (reference !== null && operation.providerReference === reference));

/** True for a capture that the provider tells in a sum with others. It has no id of its own then. */
const isInSum = ({ transaction }: SweptPayment, { kind }: Operation, { verb, total }: Notice): boolean =>
  kind === 'capture' && verb === 'capture' && !!total && takenOf(transaction) <= total.amount;

/** A refund of several captures has a part at each, and the books may tell its parts alone. */
const mustBeKnown = (
  { kind, status, settledAt, refundCaptures, redemptionId }: Operation,
  settledBefore: Date,
): boolean =>
  (kind === 'capture' || kind === 'refund') &&
  status === 'succeeded' &&
  redemptionId === null &&
  (refundCaptures?.length ?? 0) <= 1 &&
  settledAt !== null &&
  settledAt < settledBefore;
