import { next } from '../../../kernel/machine.ts';
import type { AcceptanceWindows } from '../../payment-services/index.ts';
import type { Awaited } from '../awaiting/awaited.ts';
import type { AcceptedOutcome } from '../model/outcome.ts';
import { lifecycleEventOf } from '../model/operation.ts';
import { isSale, lifecycle, type TransactionEvent, type TransactionStatus } from '../model/transaction.ts';
import type { Changes, Given, State, TransactionPatch } from './changes.ts';
import { eventsOf, historyOf } from './outcome-records.ts';
import { buyerEnd, decisionEnd, nextDecisionAt } from './schedule.ts';

/** The facts for the rule about an accepted operation. */
export type AcceptGiven = Given &
  AcceptanceWindows & {
    /** The buyer's part, which the payment waits for. Null when the payment waits for no buyer. */
    readonly awaited: Awaited | null;
  };

/**
 * Decides the changes when the provider accepts an operation and decides later. Pure. The reservation stays. The
 * operation is never sent again, so its card is deleted.
 *
 * Null in these cases:
 *
 * - The operation has ended before, or was accepted before and nothing new is announced.
 * - The lifecycle knows no way from the transaction's status.
 */
export function acceptChanges(state: State, outcome: AcceptedOutcome, given: AcceptGiven): Changes | null {
  const { transaction, operation } = state;
  if (operation.status !== 'pending') return null;
  const isRepeated = operation.acceptedAt !== null;
  if (isRepeated && !announcesDebit(state, outcome)) return null;
  const { awaited, now } = given;
  const acceptedAt = operation.acceptedAt ?? now;
  const end = awaited && buyerEnd(transaction.approvalExpiresAt, outcome.expiresAt ?? null, given);
  const decisionUntil =
    operation.decisionUntil ?? decisionEnd(now, given.decisionWindowMs, end && end.abandonedAt);
  const event = isRepeated ? null : eventOfAcceptance(state, awaited);
  const after = event
    ? next<TransactionStatus, TransactionEvent>(lifecycle, transaction.status, event)
    : transaction.status;
  if (after === null) return null;
  const patch = {
    ...shownOf(state, outcome, awaited),
    ...(end?.isSooner && { approvalExpiresAt: end.expiresAt }),
    ...{ status: after, updatedAt: now },
  };
  const taken = {
    status: operation.status,
    providerReference: outcome.reference,
    errorCode: operation.errorCode,
    rawResponseCode: outcome.rawResponseCode,
    rawResponseDescription: outcome.rawResponseDescription,
    authResponseCode: outcome.authResponseCode ?? null,
    networkResponseCode: outcome.networkResponseCode ?? null,
    merchantAdviceCode: outcome.merchantAdviceCode ?? null,
    sealedForm: awaited?.sealedForm ?? null,
    acceptedAt,
    decisionUntil,
    settledAt: operation.settledAt,
    nextAttemptAt: nextDecisionAt(now, { acceptedAt, decisionUntil }),
    updatedAt: now,
  };
  const written: State = {
    ...state,
    transaction: { ...transaction, ...patch },
    operation: { ...operation, ...taken },
  };
  return {
    outcome: outcome.kind,
    now,
    transaction: patch,
    operation: taken,
    ofSending: null,
    ledger: [],
    events: eventsOf(written, outcome.kind, given.eventIds),
    history: historyOf(written, outcome.kind, given.historyId),
    approval: awaited && end ? approvalOf(awaited, end.abandonedAt) : null,
    effects: { givesUpRedemptions: false, rematchesReviews: false, redemptionStatus: null },
  };
}

const eventOfAcceptance = (
  { transaction, operation }: State,
  awaited: Awaited | null,
): TransactionEvent | null =>
  awaited ? AWAIT[awaited.kind] : lifecycleEventOf(operation.kind, isSale(transaction), 'accepted');

/** True for a repeated acceptance that brings the day of a debit, which the payer must learn. */
const announcesDebit = ({ transaction, operation }: State, { debit }: AcceptedOutcome): boolean =>
  operation.kind === 'authorize' && debit !== undefined && transaction.bank?.debit === null;

const approvalOf = (
  { kind, token, digests, returnDigest }: Awaited,
  expiresAt: Date,
): Changes['approval'] => ({ kind, token, digests, returnDigest, expiresAt });

/** The provider processes a push payment meanwhile, so the buyer has nothing to approve. */
const AWAIT = {
  redirect: 'await_buyer',
  session: 'await_buyer',
  voucher: null,
} as const satisfies Record<Awaited['kind'], TransactionEvent | null>;

/** Shows the accepted operation on its transaction, beside the status. A sale captures the whole amount by itself. */
function shownOf(
  { transaction, operation }: State,
  outcome: AcceptedOutcome,
  awaited: Awaited | null,
): TransactionPatch {
  switch (operation.kind) {
    case 'authorize':
      return {
        paymentServiceTransactionId: outcome.reference,
        captureClosed: isSale(transaction),
        approvalUrl: awaited?.approvalUrl ?? null,
        paymentReference: outcome.paymentReference ?? null,
        ...(transaction.bank && { bank: { ...transaction.bank, debit: outcome.debit ?? null } }),
      };
    case 'capture':
      return { capturesAccepted: transaction.capturesAccepted + 1 };
    default:
      return {};
  }
}
