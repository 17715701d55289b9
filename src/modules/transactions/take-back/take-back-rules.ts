import { next } from '../../../kernel/machine.ts';
import type { Reversal } from '../model/operation.ts';
import {
  authorizationChange,
  GIFT_CARDS_ALONE,
  hasEndedInVain,
  lifecycle,
  type Transaction,
  type TransactionEvent,
  type TransactionStatus,
} from '../model/transaction.ts';
import { intended, withoutReview } from '../settle/amounts.ts';
import type { State } from '../settle/changes.ts';
import { reversedShares } from '../model/splits.ts';
import { expiryRecords, reversalRecords } from './take-back-records.ts';
import type { TakeBackGiven, TakeBackPatch, TakenBack, Verdict } from './take-back-changes.ts';

type Reversed = Extract<TakenBack, { readonly kind: 'reversed' }>;
type Expired = Extract<TakenBack, { readonly kind: 'expired' }>;

/**
 * Decides the changes when a provider takes a success back. Pure. The operation keeps its status, because it did
 * succeed once. Amounts are never clamped.
 *
 * - `changes`: the part is booked as an entry of its own.
 * - `waits`: an operation is under way that decides first.
 * - `asks`: the authorisation was renewed, and only the provider knows what it holds now.
 * - `none`: nothing is booked. The finding says why, and null says that the record agrees.
 */
export const decideTakeBack = (state: State, reported: TakenBack, given: TakeBackGiven): Verdict =>
  reported.kind === 'reversed'
    ? decideReversal(state, reported, given)
    : decideExpiry(state, reported, given);

const none = (finding: Extract<Verdict, { readonly kind: 'none' }>['finding']): Verdict => ({
  kind: 'none',
  finding,
});

function decideReversal(state: State, reported: Reversed, given: TakeBackGiven): Verdict {
  const { transaction, operation } = state;
  if (operation.status === 'pending') return { kind: 'waits' };
  // A declined or failed operation moved no money.
  if (operation.status !== 'succeeded') return none(null);
  if (operation.redemptionId !== null || transaction.method === GIFT_CARDS_ALONE)
    return none('unexpected_state');
  const { money } = reported;
  if (money && money.currency !== operation.currency) return none('other_money');
  const before = operation.reversals ?? [];
  const left = operation.amount - operation.reversedAmount;
  const known = before.find(({ key }) => key === reported.key);
  if (known) return none(money && money.amount !== known.amount ? 'other_money' : null);
  const amount = money?.amount ?? left;
  if (left === 0 && (money === null || mayRepeat(before, reported.key, amount))) return none(null);
  if (amount > left) return none('exceeds_operation');
  const isOfDispute = operation.kind !== 'refund' && mayBeLost(transaction, amount);
  if (isOfDispute || (money && mayRepeat(before, reported.key, amount))) return none('possible_repeat');
  return book(state, reported, { amount, given });
}

/**
 * True when an earlier reversal may be the same one. Only the provider's ids of two reversals tell two equal amounts
 * apart. A provider may report one reversal by two events.
 */
const mayRepeat = (before: readonly Reversal[], key: string, amount: number): boolean =>
  before.some((one) => one.amount === amount && (isUnnamed(one.key) || isUnnamed(key)));

/**
 * True when a lost dispute may have taken the same money. A provider may report one loss twice: as the end of a dispute, and as a
 * reversal of the capture. In the other order, the dispute is of more than is left of the captures.
 */
const mayBeLost = ({ capturedAmount, disputeLostAmount: lost }: Transaction, amount: number): boolean =>
  lost > 0 && (lost >= amount || amount > capturedAmount - lost);

const EVENT = 'event ';

/** Returns the key of a reversal: the provider's id of the reversal, or else of its event. */
export const reversalKeyOf = (reference: string | null, eventKey: string): string =>
  reference === null ? `${EVENT}${eventKey}` : `reversal ${reference}`;

const isUnnamed = (key: string): boolean => key.startsWith(EVENT);

type Part = { readonly amount: number; readonly given: TakeBackGiven };

function book(state: State, reported: Reversed, { amount, given }: Part): Verdict {
  const { transaction, operation } = state;
  const isRefund = operation.kind === 'refund';
  const amounts = isRefund ? refundReversed(transaction, amount) : captureReversed(transaction, amount);
  if (amounts === null) return none('unexpected_state');
  const { now, unit } = given;
  const patch = { ...amounts, ...reversedShares(state, { amount, unit }) };
  const reversal: Reversal = {
    ...{ key: reported.key, amount, errorCode: reported.errorCode, at: now.toISOString() },
    ...(transaction.splits && unit > 1 && { unit }),
  };
  const taken = {
    reversedAmount: operation.reversedAmount + amount,
    reversals: [...(operation.reversals ?? []), reversal],
    updatedAt: given.now,
  };
  const written: State = {
    ...state,
    transaction: { ...transaction, ...patch, updatedAt: given.now },
    operation: { ...operation, ...taken },
  };
  const { refundedAmount, refundPendingAmount, capturedAmount } = written.transaction;
  return {
    kind: 'changes',
    finding:
      !isRefund && refundedAmount + refundPendingAmount > capturedAmount ? 'refunded_exceeds_captured' : null,
    changes: {
      kind: 'reversed',
      now: given.now,
      transaction: { ...patch, updatedAt: given.now },
      operation: taken,
      ledger: [
        {
          ...{ id: given.ledgerId, kind: isRefund ? 'refund_reversal' : 'capture_reversal' },
          ...{ amount, reversalKey: reported.key },
        },
      ],
      ...reversalRecords(written, reported, { amount, given }),
      effects: { givesUpRedemptions: false },
    },
  };
}

const refundReversed = (
  { refundedAmount, refundReversedAmount }: Transaction,
  amount: number,
): TakeBackPatch => ({
  refundedAmount: refundedAmount - amount,
  refundReversedAmount: refundReversedAmount + amount,
});

/** Null when the lifecycle knows no way. The status stays, because the payment was captured once. */
function captureReversed(transaction: Transaction, amount: number): TakeBackPatch | null {
  const status = statusAfter(transaction, 'reverse_capture');
  if (status === null) return null;
  return {
    status,
    capturedAmount: transaction.capturedAmount - amount,
    captureReversedAmount: transaction.captureReversedAmount + amount,
  };
}

function decideExpiry(state: State, reported: Expired, given: TakeBackGiven): Verdict {
  const { transaction, operation } = state;
  if (operation.status === 'pending') return { kind: 'waits' };
  if (operation.status !== 'succeeded') return none(null);
  if (transaction.method === GIFT_CARDS_ALONE) return none('unexpected_state');
  if (isBusy(transaction)) return { kind: 'waits' };
  const status = statusAfter(transaction, 'expire');
  // The authorised amount is captured or released already.
  if (status === null || transaction.captureClosed) return none(null);
  const ofEarlier = verdictAfterRenewal(transaction, reported);
  if (ofEarlier !== null) return ofEarlier;
  const isReleased = status === 'authorization_voided';
  const patch: TakeBackPatch = {
    status,
    captureClosed: true,
    expiredAt: given.now,
    updatedAt: given.now,
    intentOutcome: isReleased ? intended(transaction, 'failed') : transaction.intentOutcome,
    fraudReview: isReleased ? withoutReview(transaction) : transaction.fraudReview,
    errorCode: isReleased ? 'expired_authorization' : transaction.errorCode,
  };
  const written: State = { ...state, transaction: { ...transaction, ...patch } };
  const rest = transaction.authorizedAmount - transaction.capturedAmount;
  const { reversedAmount, reversals } = operation;
  return {
    kind: 'changes',
    finding: null,
    changes: {
      kind: 'expired',
      now: given.now,
      transaction: patch,
      operation: { reversedAmount, reversals, updatedAt: given.now },
      // An over-capture leaves no rest.
      ledger: rest < 0 ? [] : [{ id: given.ledgerId, kind: 'expire', amount: rest, reversalKey: '' }],
      ...expiryRecords(written, reported, { amount: Math.max(rest, 0), given }),
      effects: {
        givesUpRedemptions: transaction.giftCardAmount > 0 && hasEndedInVain(written.transaction),
      },
    },
  };
}

/** Keeps the money of a renewed authorisation held. Null if the expiry is of what is held now. */
function verdictAfterRenewal(
  { reauthorizedAt }: Transaction,
  { at, ofRenewal = null }: Expired,
): Verdict | null {
  if (reauthorizedAt === null || ofRenewal?.getTime() === reauthorizedAt.getTime()) return null;
  if (at === null) return { kind: 'asks' };
  return at <= reauthorizedAt ? none('before_renewal') : null;
}

/** True while an operation is under way whose outcome decides how much is left to expire, or until when. */
const isBusy = (transaction: Transaction): boolean => {
  const { capturePendingAmount, capturesAccepted, voidPending } = transaction;
  const isCapturing = capturePendingAmount > 0 || capturesAccepted > 0;
  return isCapturing || voidPending || authorizationChange(transaction) !== null;
};

const statusAfter = ({ status }: Transaction, event: TransactionEvent): TransactionStatus | null =>
  next<TransactionStatus, TransactionEvent>(lifecycle, status, event);
