import { next } from '../../../kernel/machine.ts';
import type { Awaited } from '../awaiting/awaited.ts';
import type { AcceptedOutcome } from '../model/outcome.ts';
import { eventOf } from '../model/operation.ts';
import { isSale, lifecycle, type TransactionEvent, type TransactionStatus } from '../model/transaction.ts';
import type { Changes, Given, State, TransactionPatch } from './changes.ts';
import { eventsOf, historyOf } from './outcome-records.ts';

/** The facts that the rule is given about an operation that the provider has taken on. */
export type AcceptGiven = Given & {
  /** The buyer's part that is awaited. Null: nothing. */
  readonly awaited: Awaited | null;
  /** When the provider is asked what it decided. */
  readonly nextAttemptAt: Date;
};

/**
 * Decides what changes when the provider takes an operation on, to decide later. Pure. The reservation is held. The operation is
 * never sent again, so its card is not kept. Null when the operation was taken on or has ended before, or the transaction's
 * status knows no way for it.
 */
export function acceptChanges(state: State, outcome: AcceptedOutcome, given: AcceptGiven): Changes | null {
  const { transaction, operation } = state;
  if (operation.status !== 'pending' || operation.acceptedAt !== null) return null;
  const { awaited, now } = given;
  const event = awaited ? AWAIT[awaited.kind] : eventOf(operation.kind, isSale(transaction), outcome.kind);
  const after = event
    ? next<TransactionStatus, TransactionEvent>(lifecycle, transaction.status, event)
    : transaction.status;
  if (after === null) return null;
  const patch = { ...shownOf(state, outcome), status: after, updatedAt: now };
  const taken = {
    status: operation.status,
    providerReference: outcome.reference,
    errorCode: operation.errorCode,
    rawResponseCode: outcome.rawResponseCode,
    rawResponseDescription: outcome.rawResponseDescription,
    acceptedAt: now,
    settledAt: operation.settledAt,
    nextAttemptAt: given.nextAttemptAt,
    updatedAt: now,
  };
  const written: State = {
    ...state,
    transaction: { ...transaction, ...patch },
    operation: { ...operation, ...taken },
  };
  const { approvalExpiresAt: expiresAt } = transaction;
  return {
    outcome: outcome.kind,
    now,
    transaction: patch,
    operation: taken,
    ofSending: null,
    ledger: [],
    events: eventsOf(written, outcome.kind, given.eventIds),
    history: historyOf(written, outcome.kind, given.historyId),
    answersKeyOf: [],
    approval: awaited && expiresAt ? { ...awaited, expiresAt } : null,
    effects: { givesUpRedemptions: false, rematchesReviews: false, redemptionStatus: null },
  };
}

/** The provider processes a push payment meanwhile: there is nothing to approve (facts 2.1). */
const AWAIT = {
  redirect: 'await_buyer',
  session: 'await_buyer',
  voucher: null,
} as const satisfies Record<Awaited['kind'], TransactionEvent | null>;

/** Shows the operation on its transaction, beside the status. A sale captures all of the amount by itself. */
function shownOf({ transaction, operation }: State, outcome: AcceptedOutcome): TransactionPatch {
  switch (operation.kind) {
    case 'authorize':
      return {
        paymentServiceTransactionId: outcome.reference,
        captureClosed: isSale(transaction),
        approvalUrl: outcome.approvalUrl ?? null,
        paymentReference: outcome.paymentReference ?? null,
      };
    case 'capture':
      return { capturesAccepted: transaction.capturesAccepted + 1 };
    default:
      return {};
  }
}
