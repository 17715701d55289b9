import type { DisputeReport } from '../../connectors/notices/disputes.ts';
import { holdsRefunds, isOpen, rankOf, type Dispute } from './dispute.ts';

/** A report of a provider, with its time by the provider's clock. */
export type Reported = DisputeReport & { readonly at: Date };

/** The disputed payment, as far as a report touches it. Amounts are minor units of `currency`. */
export type DisputedPayment = {
  readonly currency: string;
  readonly capturedAmount: number;
  readonly refundedAmount: number;
  readonly refundPendingAmount: number;
  /** The amount that lost disputes of the payment took so far. */
  readonly disputeLostAmount: number;
  /** True while an authorisation or a capture of the payment has no outcome. */
  readonly isUndecided: boolean;
};

/** The reason why a report needs a person. */
export type DisputeFinding =
  /** The loss is in another currency than the payment. It is recorded and not booked. */
  | 'other_money'
  /** The loss is of more than was captured. It is recorded and not booked. */
  | 'exceeds_captured'
  /** The loss is booked, and refunds and losses together are more than the captures. */
  | 'refunded_exceeds_captured'
  /** The dispute belongs to another payment here. */
  | 'other_payment'
  /** The dispute ended in this stage with another result. */
  | 'contradicts';

export type DisputeEvent = 'created' | 'updated' | 'won' | 'lost';

/** An entry of the ledger. */
export type DisputeEntry = {
  readonly kind: 'dispute_loss' | 'dispute_loss_reversal';
  readonly amount: number;
};

/** The columns that a report decides. */
export type DisputePatch = Pick<
  Dispute,
  | 'stage'
  | 'status'
  | 'reason'
  | 'reasonCode'
  | 'amount'
  | 'currency'
  | 'lostAmount'
  | 'decidedStage'
  | 'respondBy'
  | 'reportedAt'
>;

export type Verdict =
  | {
      readonly kind: 'changes';
      readonly patch: DisputePatch;
      /** The change of the payment's count of disputes that hold refunds. */
      readonly opened: -1 | 0 | 1;
      readonly entry: DisputeEntry | null;
      /** Empty when the report repeats what is known. */
      readonly events: readonly DisputeEvent[];
      readonly finding: DisputeFinding | null;
    }
  | { readonly kind: 'none'; readonly finding: DisputeFinding | null }
  /** An outcome under way decides first how much is captured. */
  | { readonly kind: 'waits' };

/** The dispute as it is recorded, and its payment. `before` is null for a dispute that is new here. */
export type DisputeState = {
  readonly before: Dispute | null;
  readonly payment: DisputedPayment;
  /** The operation to book a loss to. Null books nothing. */
  readonly operationId: string | null;
};

/**
 * Decides the changes when a provider reports a dispute. Pure.
 *
 * - An older report, and one that is known, change nothing.
 * - A stage never goes back. An ended dispute goes on only in a later stage.
 * - A loss is booked once. The end of a later stage books the difference. A win in a later stage books the loss back.
 * - A later report of more loss in the same stage books the rest. The status stays.
 * - A late decision of an earlier stage counts while no later stage decided about money.
 * - An amount is never clamped. A loss that does not fit is recorded and not booked.
 */
export function decideDispute(state: DisputeState, reported: Reported): Verdict {
  const { before } = state;
  if (before && !isNews(before, reported)) {
    if (isLateDecision(before, reported) || isLostAgain(before, reported))
      return decideLoss({ ...state, before }, reported);
    return { kind: 'none', finding: contradicts(before, reported) ? 'contradicts' : null };
  }
  const booking = bookingOf(state, reported);
  if (booking === 'waits') return { kind: 'waits' };
  const { lostAmount, finding } = booking;
  const decidedStage = isDecision(reported.status) ? reported.stage : (before?.decidedStage ?? null);
  const patch = patchOf(reported, { lostAmount, decidedStage });
  return {
    kind: 'changes',
    patch,
    opened: openedBy(before, patch),
    entry: entryOf(before, lostAmount),
    events: before && isSame(before, patch) ? [] : eventsOf(before, patch),
    finding,
  };
}

/** True for an overtaken decision of an earlier stage. A decision of a later stage would count instead. */
const isLateDecision = ({ stage: present, decidedStage }: Dispute, { stage, status }: Reported): boolean =>
  isDecision(status) &&
  rankOf(stage) < rankOf(present) &&
  (decidedStage === null || rankOf(stage) > rankOf(decidedStage));

/** True for a report that the decided stage is lost, with a larger loss than is booked. */
const isLostAgain = (before: Dispute, { at, stage, status, money }: Reported): boolean =>
  isLoss(status) &&
  (money.amount > before.lostAmount || money.currency !== before.currency) &&
  (stage === before.stage
    ? at > before.reportedAt && isLoss(before.status)
    : stage === before.decidedStage && before.lostAmount > 0);

type Recorded = DisputeState & { readonly before: Dispute };

/**
 * Decides what a report changes in the loss. A report of an earlier stage changes nothing else, and one of the present stage
 * leaves the status. In the stage that has decided before, only a larger loss that fits counts.
 */
function decideLoss(state: Recorded, reported: Reported): Verdict {
  const { before } = state;
  const booking = bookingOf(state, reported);
  if (booking === 'waits') return { kind: 'waits' };
  const { lostAmount, finding } = booking;
  const { stage: decidedStage } = reported;
  if (decidedStage === before.decidedStage && lostAmount <= before.lostAmount)
    return { kind: 'none', finding };
  const entry = entryOf(before, lostAmount);
  const decided = { lostAmount, decidedStage };
  return {
    kind: 'changes',
    patch:
      reported.stage === before.stage
        ? { ...patchOf(reported, decided), status: before.status }
        : { ...patchKept(before), ...decided },
    ...{ opened: 0, entry, events: entry === null ? [] : ['updated'], finding },
  };
}

/** True when a report says more than the record. A report of the same moment counts when its status is further on. */
function isNews(before: Dispute, { at, stage, status }: Reported): boolean {
  const later = rankOf(stage) - rankOf(before.stage);
  if (at < before.reportedAt || later < 0) return false;
  if (later > 0) return true;
  if (!isOpen(before)) return false;
  return at > before.reportedAt || PROGRESS[status] > PROGRESS[before.status];
}

/** The order of the statuses within a stage, for reports of one moment. */
const PROGRESS: Readonly<Record<Dispute['status'], number>> = {
  ...{ needs_response: 0, under_review: 1, expired: 1 },
  ...{ won: 2, lost: 2, accepted: 2, closed: 2 },
};

/** True for a later report of this stage that tells another end. Money given up is lost. */
const contradicts = (before: Dispute, { at, stage, status }: Reported): boolean =>
  stage === before.stage &&
  !isOpen(before) &&
  at > before.reportedAt &&
  isLoss(status) !== isLoss(before.status);

const isLoss = (status: Dispute['status']): boolean => status === 'lost' || status === 'accepted';

/** True for a status that decides about money. */
const isDecision = (status: Dispute['status']): boolean => status === 'won' || isLoss(status);

type Booking = { readonly lostAmount: number; readonly finding: DisputeFinding | null };

function bookingOf({ before, payment, operationId }: DisputeState, reported: Reported): Booking | 'waits' {
  const lostBefore = before?.lostAmount ?? 0;
  if (reported.status === 'won') return { lostAmount: 0, finding: null };
  if (!isLoss(reported.status)) return { lostAmount: lostBefore, finding: null };
  const { amount, currency } = reported.money;
  if (currency !== payment.currency) return { lostAmount: lostBefore, finding: 'other_money' };
  const lost = payment.disputeLostAmount - lostBefore + amount;
  if (operationId === null || lost > payment.capturedAmount)
    return payment.isUndecided ? 'waits' : { lostAmount: lostBefore, finding: 'exceeds_captured' };
  const paidBack = lost + payment.refundedAmount + payment.refundPendingAmount;
  return {
    lostAmount: amount,
    finding: paidBack > payment.capturedAmount ? 'refunded_exceeds_captured' : null,
  };
}

const patchOf = (
  reported: Reported,
  { lostAmount, decidedStage }: Pick<Dispute, 'lostAmount' | 'decidedStage'>,
): DisputePatch => ({
  ...{ stage: reported.stage, status: reported.status, reason: reported.reason },
  ...{ reasonCode: reported.reasonCode, ...reported.money, lostAmount, decidedStage },
  ...{ respondBy: isOpen(reported) ? reported.respondBy : null, reportedAt: reported.at },
});

const patchKept = (before: Dispute): DisputePatch => ({
  ...{ stage: before.stage, status: before.status, reason: before.reason, reasonCode: before.reasonCode },
  ...{ amount: before.amount, currency: before.currency, lostAmount: before.lostAmount },
  ...{ decidedStage: before.decidedStage, respondBy: before.respondBy, reportedAt: before.reportedAt },
});

/** True for a report that repeats what is known. Providers report the same state at several moments. */
const isSame = (before: Dispute, after: DisputePatch): boolean =>
  before.respondBy?.getTime() === after.respondBy?.getTime() &&
  (['stage', 'status', 'reason', 'reasonCode', 'amount', 'currency', 'lostAmount'] as const).every(
    (field) => before[field] === after[field],
  );

function openedBy(before: Dispute | null, after: DisputePatch): -1 | 0 | 1 {
  const [was, is] = [before !== null && holdsRefunds(before), holdsRefunds(after)];
  if (was === is) return 0;
  return is ? 1 : -1;
}

/** Returns the entry that brings the booked loss to `lostAmount`. Null when that loss is booked. */
function entryOf(before: Dispute | null, lostAmount: number): DisputeEntry | null {
  const difference = lostAmount - (before?.lostAmount ?? 0);
  if (difference === 0) return null;
  return difference > 0
    ? { kind: 'dispute_loss', amount: difference }
    : { kind: 'dispute_loss_reversal', amount: -difference };
}

/** A dispute that is new and ended has two events, so that a consumer of either kind hears of it. */
function eventsOf(before: Dispute | null, { status }: DisputePatch): readonly DisputeEvent[] {
  const end = status === 'won' ? 'won' : isLoss(status) ? 'lost' : null;
  if (before === null) return end === null ? ['created'] : ['created', end];
  return [end ?? 'updated'];
}
