import { AMOUNT_MAX, type Money } from '../../../kernel/money.ts';
import { next } from '../../../kernel/machine.ts';
import { AMOUNTS, intended, withoutReview } from '../settle/amounts.ts';
import type { LedgerChange, State } from '../settle/changes.ts';
import { eventsOf, historyOf } from '../settle/outcome-records.ts';
import { sharesElsewhere } from '../model/splits.ts';
import type { AskedService, Operation } from '../model/operation.ts';
import {
  authorizationChange,
  GIFT_CARDS_ALONE,
  hasEndedInVain,
  isSale,
  lifecycle,
  type Transaction,
  type TransactionEvent,
  type TransactionStatus,
} from '../model/transaction.ts';
import type {
  ElsewhereFinding,
  ElsewhereGiven,
  ElsewherePatch,
  ElsewhereVerdict,
  MadeElsewhere,
} from './made-elsewhere.ts';

/** A payment and the payment service that reports about it. */
export type Subject = { readonly transaction: Transaction; readonly service: AskedService };

/** The change of a payment by an operation of the provider. */
type Booked = {
  /** Minor units of the payment's currency. */
  readonly amount: number;
  readonly patch: ElsewherePatch;
  readonly finding: ElsewhereFinding | null;
};

type Waits = Extract<ElsewhereVerdict, { readonly kind: 'waits' }>;
type None = Extract<ElsewhereVerdict, { readonly kind: 'none' }>;
type Rule = (
  subject: Subject,
  made: MadeElsewhere,
  given: ElsewhereGiven,
) => ({ readonly kind: 'booked' } & Booked) | Waits | None;

const WAITS: Waits = { kind: 'waits' };
const none = (finding: ElsewhereFinding | null): None => ({ kind: 'none', finding });

/**
 * Decides the booking of an operation that was made at the provider without a request from here. Pure. Money that moved is a
 * fact, so amounts above what is recorded as possible are booked too, with a finding. No amount is clamped.
 *
 * An operation of the same kind that is under way is decided first. Its id at the provider then tells the two apart.
 */
export function decideElsewhere(
  { transaction, service }: Subject,
  made: MadeElsewhere,
  given: ElsewhereGiven,
): ElsewhereVerdict {
  const { currency } = transaction;
  if (transaction.method === GIFT_CARDS_ALONE) return none('unexpected_state');
  if ([made.money, made.total, made.whole ?? null].some((money) => money && money.currency !== currency))
    return none('other_money');
  if (given.mayBeOurs || isUndecided(transaction)) return WAITS;
  const decided = RULES[made.kind]({ transaction, service }, made, given);
  return decided.kind === 'booked'
    ? changesOf({ transaction, service }, made, { ...decided, given })
    : decided;
}

/** True while the authorisation itself has no outcome. */
const isUndecided = ({ status }: Transaction): boolean =>
  status === 'processing' || status === 'buyer_approval_pending';

const RULES: Readonly<Record<MadeElsewhere['kind'], Rule>> = {
  authorize: authorized,
  capture: captured,
  refund: refunded,
  void: released,
  increase: increased,
};

/** Books a late approval: the refused payment is authorised after all. */
function authorized(
  { transaction, service }: Subject,
  made: MadeElsewhere,
  given: ElsewhereGiven,
): ReturnType<Rule> {
  const { money, reference } = made;
  const after = statusAfter(transaction, isSale(transaction) ? 'sale_elsewhere' : 'authorize_elsewhere');
  if (money === null || reference === null) return none('unknown_amount');
  if (after === null) return none('unexpected_state');
  const { amount } = money;
  const operation = operationOf(transaction, made, { amount, splits: null, given, serviceId: service.id });
  const outcome = { ...made, kind: 'succeeded', reference, money } as const;
  const patch = AMOUNTS.authorize.succeeded({
    transaction,
    operation,
    service,
    outcome,
    after,
    now: given.now,
  });
  return {
    ...{ kind: 'booked', amount, finding: null },
    patch: { ...patch, status: after, paymentServiceId: service.id },
  };
}

function captured({ transaction }: Subject, made: MadeElsewhere, { now }: ElsewhereGiven): ReturnType<Rule> {
  const {
    capturePendingAmount: pending,
    authorizedAmount,
    overCaptureAllowance,
    captureClosed,
  } = transaction;
  if (transaction.voidPending || authorizationChange(transaction) !== null) return WAITS;
  // A sum may count a capture of ours that has no outcome yet.
  if (made.total !== null && pending > 0) return WAITS;
  const amount = capturedNow(transaction, made);
  const sum = transaction.capturedAmount + amount;
  const status = statusAfter(transaction, 'capture_elsewhere');
  if (made.total !== null && amount <= 0) return none(null);
  if (amount < 1) return none('unknown_amount');
  if (sum > AMOUNT_MAX) return none('too_large');
  if (status === null) return none('unexpected_state');
  const excess = sum + pending - authorizedAmount;
  return {
    ...{
      kind: 'booked',
      amount,
      finding: excess > overCaptureAllowance ? 'captured_exceeds_authorized' : null,
    },
    patch: {
      ...{ status, capturedAmount: sum, capturedAt: now },
      captureClosed: captureClosed || (made.final ?? sum >= authorizedAmount),
      overCaptureAllowance: Math.max(overCaptureAllowance, excess),
      intentOutcome: intended(transaction, 'succeeded'),
      fraudReview: withoutReview(transaction),
    },
  };
}

/** Returns the captured amount that is not booked yet. It is the rest of the provider's sum, or the capture itself. */
const capturedNow = (
  { capturedAmount, captureReversedAmount }: Transaction,
  { total, money }: MadeElsewhere,
): number => (total ? total.amount - capturedAmount - captureReversedAmount : (money?.amount ?? 0));

function refunded({ transaction }: Subject, made: MadeElsewhere, given: ElsewhereGiven): ReturnType<Rule> {
  const { refundPendingAmount: pending, capturedAmount, captureReversedAmount } = transaction;
  const amount = made.money?.amount ?? wholeRefund(transaction, made);
  const sum = transaction.refundedAmount + amount;
  // The notice of a capture may be late, and a refund under way may fail.
  if (amount < 1 && made.whole && isUnsettled(transaction, made.whole) && !given.isLate) return WAITS;
  if (amount < 1) return none('unknown_amount');
  if (sum > AMOUNT_MAX) return none('too_large');
  const isAbove = sum > capturedAmount + captureReversedAmount;
  // The notice of the capture may be late, and a capture under way decides first.
  if (isAbove && (!given.isLate || transaction.status === 'capture_pending')) return WAITS;
  if (hasEndedInVain(transaction) && transaction.authorizedAmount === 0) return none('unexpected_state');
  const excess = sum + pending - capturedAmount - captureReversedAmount;
  return {
    ...{
      kind: 'booked',
      amount,
      finding: sum + pending > capturedAmount ? 'refunded_exceeds_captured' : null,
    },
    patch: {
      refundedAmount: sum,
      refundExcessAmount: Math.max(transaction.refundExcessAmount, excess),
    },
  };
}

/**
 * Returns the amount of a refund of the whole payment. Zero if the record does not prove the amount: something else is captured, or
 * a part is refunded.
 */
const wholeRefund = (
  { capturedAmount, captureReversedAmount, refundedAmount, refundPendingAmount }: Transaction,
  { whole }: MadeElsewhere,
): number =>
  whole?.amount === capturedAmount && captureReversedAmount + refundedAmount + refundPendingAmount === 0
    ? capturedAmount
    : 0;

/** True while operations under way may still make the record fit to a refund of the whole payment. */
const isUnsettled = ({ capturedAmount, refundPendingAmount }: Transaction, whole: Money): boolean =>
  capturedAmount < whole.amount || refundPendingAmount > 0;

/** Books a void. After a capture, the rest of the authorisation is released. */
function released({ transaction }: Subject, _: MadeElsewhere, { now }: ElsewhereGiven): ReturnType<Rule> {
  const { authorizedAmount, capturedAmount, capturePendingAmount, capturesAccepted } = transaction;
  if (transaction.voidPending || authorizationChange(transaction) !== null) return WAITS;
  if (capturePendingAmount > 0 || capturesAccepted > 0) return WAITS;
  const status = statusAfter(transaction, 'void_elsewhere');
  // Nothing is held any more, so the record agrees.
  if (status === null || transaction.captureClosed) return none(null);
  const isWhole = status === 'authorization_voided';
  return {
    ...{ kind: 'booked', amount: Math.max(authorizedAmount - capturedAmount, 0), finding: null },
    patch: {
      ...{ status, captureClosed: true },
      voidedAt: isWhole ? now : transaction.voidedAt,
      intentOutcome: isWhole ? intended(transaction, 'failed') : transaction.intentOutcome,
      fraudReview: withoutReview(transaction),
    },
  };
}

function increased({ transaction }: Subject, made: MadeElsewhere): ReturnType<Rule> {
  const { authorizedAmount, increasedAmount, status } = transaction;
  if (transaction.voidPending || authorizationChange(transaction) !== null) return WAITS;
  const amount = made.total ? made.total.amount - authorizedAmount : (made.money?.amount ?? 0);
  if (amount === 0 && made.total) return none(null);
  if (amount < 1) return none('unknown_amount');
  if (authorizedAmount + amount > AMOUNT_MAX) return none('too_large');
  if (status !== 'authorization_succeeded' && status !== 'capture_succeeded') return none('unexpected_state');
  const patch = { authorizedAmount: authorizedAmount + amount, increasedAmount: increasedAmount + amount };
  return { kind: 'booked', amount, patch, finding: null };
}

const statusAfter = ({ status }: Transaction, event: TransactionEvent): TransactionStatus | null =>
  next<TransactionStatus, TransactionEvent>(lifecycle, status, event);

function changesOf(
  { transaction, service }: Subject,
  made: MadeElsewhere,
  { amount, patch: decided, finding, given }: Booked & { readonly given: ElsewhereGiven },
): ElsewhereVerdict {
  const { now } = given;
  const shares = sharesElsewhere(transaction, made.kind, { amount, unit: given.unit });
  const patch = { ...decided, ...shares.patch };
  const after = { ...transaction, ...patch, updatedAt: now };
  const { splits } = shares;
  const operation = operationOf(after, made, { amount, splits, given, serviceId: service.id });
  const written: State = { transaction: after, operation, service };
  return {
    ...{ kind: 'changes', finding },
    changes: {
      now,
      operation: {
        ...operation,
        captureReference: made.captureReference,
        isCarried: finding !== 'refunded_exceeds_captured',
      },
      transaction: { ...patch, updatedAt: now },
      ledger: ledgerOf(transaction, made.kind, { amount, given }),
      events: eventsOf(written, 'succeeded', given.eventIds),
      history: historyOf(written, 'succeeded', given.historyId),
      effects: { givesUpRedemptions: transaction.giftCardAmount > 0 && hasEndedInVain(after) },
    },
  };
}

/** Lists the money that the operation moved. A sale authorises and captures. */
function ledgerOf(
  transaction: Transaction,
  kind: MadeElsewhere['kind'],
  { amount, given }: { readonly amount: number; readonly given: ElsewhereGiven },
): readonly LedgerChange[] {
  const [id, second] = given.ledgerIds;
  const entry: LedgerChange = { id, kind, amount };
  return kind === 'authorize' && isSale(transaction)
    ? [entry, { id: second, kind: 'capture', amount }]
    : [entry];
}

type Made = Pick<Operation, 'amount' | 'splits'> & {
  readonly given: ElsewhereGiven;
  readonly serviceId: string;
};

/** Returns the new operation as its row will be. Nothing of a request belongs to it. */
function operationOf(
  { merchantAccountId, id, currency, captureClosed }: Transaction,
  made: MadeElsewhere,
  { amount, splits, given: { now, operationId }, serviceId }: Made,
): Operation {
  const { kind, reference, rawResponseCode, rawResponseDescription } = made;
  return {
    ...{ merchantAccountId, id: operationId, transactionId: id, paymentServiceId: serviceId, kind },
    ...{ origin: 'provider', status: 'succeeded', amount, currency, providerReference: reference },
    ...{ rawResponseCode, rawResponseDescription, final: kind !== 'capture' || captureClosed },
    ...{
      choice: null,
      idempotencyKey: null,
      providerKey: made.lostKey ?? null,
      externalIdentifier: null,
      reason: null,
    },
    ...{ actor: null, redemptionId: null, batchId: null, releasesId: null, refundCaptures: null },
    splits,
    ...{ sealedCard: null, sealedReturned: null, sealedForm: null, errorCode: null, authResponseCode: null },
    ...{ networkResponseCode: null, merchantAdviceCode: null, reversedAmount: 0, reversals: null },
    ...{ tokenizes: false, unsent: false, attempts: 0, sentAt: now, acceptedAt: null, decisionUntil: null },
    ...{ unknownAt: null, unknownCause: null, leaseUntil: null, nextAttemptAt: null, settledAt: now },
    ...{ createdAt: now, updatedAt: now },
  };
}
