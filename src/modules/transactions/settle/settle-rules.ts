import { next } from '../../../kernel/machine.ts';
import type { FinalOutcome } from '../model/outcome.ts';
import { lifecycleEventOf, type Operation, type OperationKind } from '../model/operation.ts';
import type { RedemptionStatus } from '../model/redemption.ts';
import {
  hasEndedInVain,
  isSale,
  lifecycle,
  type Transaction,
  type TransactionEvent,
  type TransactionStatus,
} from '../model/transaction.ts';
import { AMOUNTS, statusAfterRefusal } from './amounts.ts';
import type { Changes, Given, LedgerChange, State } from './changes.ts';
import { eventsOf, historyOf } from './outcome-records.ts';

/**
 * Decides the changes of an outcome that ends an operation. Pure: no clock, no new ids, no database. A confirmed cancel
 * of a payment that was captured first counts as failed.
 * Null means that the outcome changes nothing:
 * - the operation has ended
 * - the outcome refuses an earlier sending
 * - the lifecycle knows no way for the outcome
 */
export function settleChanges(state: State, outcome: FinalOutcome, given: Given): Changes | null {
  const { transaction, operation } = state;
  const { kind } = operation;
  const isSuccess = outcome.kind === 'succeeded';
  if (operation.status !== 'pending') return null;
  if (!isSuccess && !isOfLastSending(operation, given)) return null;
  const after = statusAfter(transaction, lifecycleEventOf(kind, isSale(transaction), outcome.kind));
  if (after === null && mustMove(kind, isSuccess)) {
    return kind === 'cancel'
      ? settleChanges(state, tooLate(outcome), { ...given, sentAt: operation.sentAt })
      : null;
  }
  const decided = { ...state, outcome, after, now: given.now };
  const patch = {
    ...AMOUNTS[kind][isSuccess ? 'succeeded' : 'refused'](decided),
    status: isSuccess ? (after ?? transaction.status) : statusAfterRefusal(decided),
    updatedAt: given.now,
  };
  const ended = endOf(operation, outcome, given.now);
  const written: State = {
    ...state,
    transaction: { ...transaction, ...patch },
    operation: { ...operation, ...ended },
  };
  return {
    outcome: outcome.kind,
    now: given.now,
    transaction: patch,
    operation: ended,
    ofSending: isSuccess ? null : operation.sentAt,
    ledger: isSuccess ? ledgerOf(written, given.ledgerIds) : [],
    events: eventsOf(written, outcome.kind, given.eventIds),
    history: historyOf(written, outcome.kind, given.historyId),
    approval: null,
    effects: {
      givesUpRedemptions: endsPayment(kind, isSuccess) && givesUp(written.transaction),
      rematchesReviews: MOVES_REVIEW.has(kind) && transaction.antiFraudServiceId !== null,
      redemptionStatus: redemptionStatusOf(written, isSuccess),
    },
  };
}

/** True when the outcome answers the last sending. A refusal says nothing about a later sending. */
const isOfLastSending = ({ sentAt }: Operation, given: Given): boolean =>
  sentAt.getTime() === given.sentAt.getTime();

const statusAfter = ({ status }: Transaction, event: TransactionEvent | null): TransactionStatus | null =>
  event && next<TransactionStatus, TransactionEvent>(lifecycle, status, event);

/** The kinds whose success needs a way in the lifecycle. */
const MOVES_STATUS: ReadonlySet<OperationKind> = new Set(['authorize', 'capture', 'void', 'cancel']);

const mustMove = (kind: OperationKind, isSuccess: boolean): boolean =>
  kind === 'authorize' || (isSuccess && MOVES_STATUS.has(kind));

const tooLate = ({ reference, rawResponseCode, rawResponseDescription }: FinalOutcome): FinalOutcome => ({
  kind: 'failed',
  reference,
  errorCode: 'unexpected_state',
  rawResponseCode,
  rawResponseDescription,
});

const endOf = (operation: Operation, outcome: FinalOutcome, now: Date): Changes['operation'] => ({
  status: outcome.kind,
  providerReference: outcome.reference ?? operation.providerReference,
  errorCode: outcome.kind === 'succeeded' ? null : outcome.errorCode,
  rawResponseCode: outcome.rawResponseCode,
  rawResponseDescription: outcome.rawResponseDescription,
  authResponseCode: outcome.authResponseCode ?? null,
  networkResponseCode: outcome.networkResponseCode ?? null,
  merchantAdviceCode: outcome.merchantAdviceCode ?? null,
  sealedForm: null,
  acceptedAt: operation.acceptedAt,
  decisionUntil: operation.decisionUntil,
  settledAt: now,
  nextAttemptAt: null,
  updatedAt: now,
});

/**
 * Lists the money that a success moved. A sale authorises and captures. A cancel moves money only after an
 * authorisation. A re-authorisation keeps the amount, and moves none.
 */
function ledgerOf(
  { transaction, operation }: State,
  [first, second]: Given['ledgerIds'],
): readonly LedgerChange[] {
  const { kind, amount, redemptionId } = operation;
  const entry = (of: LedgerChange['kind'], id = first): LedgerChange => ({ id, kind: of, amount });
  switch (kind) {
    case 'authorize':
      return isSale(transaction) ? [entry('authorize'), entry('capture', second)] : [entry('authorize')];
    case 'refund':
      return [entry(redemptionId === null ? 'refund' : 'gift_card_refund')];
    case 'reauthorize':
    case 'release':
      return [];
    case 'cancel':
      return transaction.status === 'authorization_voided' ? [entry('void')] : [];
    default:
      return [entry(kind)];
  }
}

/** The kinds that open or end a review. */
const MOVES_REVIEW: ReadonlySet<OperationKind> = new Set(['authorize', 'void', 'cancel']);

const endsPayment = (kind: OperationKind, isSuccess: boolean): boolean =>
  kind === 'authorize' ? !isSuccess : isSuccess && (kind === 'void' || kind === 'cancel');

const givesUp = (transaction: Transaction): boolean =>
  transaction.giftCardAmount > 0 && hasEndedInVain(transaction);

/** Decides the status of the redemption that an operation makes or reverses. */
function redemptionStatusOf({ operation, transaction }: State, isSuccess: boolean): RedemptionStatus | null {
  switch (operation.kind) {
    case 'redeem':
      if (!isSuccess) return 'failed';
      return hasEndedInVain(transaction) ? 'reversing' : 'succeeded';
    case 'unredeem':
      // A person declared the reversal failed. The money stays with the merchant, and can be refunded.
      return isSuccess ? 'reversed' : 'succeeded';
    default:
      return null;
  }
}
