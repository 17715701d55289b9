import type { DisputeNotice, DisputeReason, DisputeStage, DisputeStatus } from '../../door.ts';
import { moneyFromWire } from '../amount.ts';
import type { Captured, Dispute, Transaction } from '../answers.ts';
import { captureKeyOf, captureReferenceOf } from '../names.ts';

const STAGES: Readonly<Record<string, DisputeStage | undefined>> = {
  RETRIEVAL: 'inquiry',
  CHARGEBACK: 'chargeback',
  PRE_ARBITRATION: 'pre_arbitration',
};

const STATUSES: Readonly<Record<string, DisputeStatus | undefined>> = {
  OPEN: 'needs_response',
  UNDER_REVIEW: 'under_review',
  DISPUTED: 'under_review',
  WON: 'won',
  LOST: 'lost',
  // Nobody responded in time, and the money is lost.
  EXPIRED: 'lost',
  ACCEPTED: 'accepted',
  AUTO_ACCEPTED: 'accepted',
};

const REASONS: Readonly<Record<string, DisputeReason | undefined>> = {
  FRAUD: 'fraudulent',
  NOT_RECOGNIZED: 'unrecognized',
  DUPLICATE: 'duplicate',
  TRANSACTION_AMOUNT_DIFFERS: 'incorrect_amount',
  PRODUCT_NOT_RECEIVED: 'product_not_received',
  PRODUCT_UNSATISFACTORY: 'product_unacceptable',
  CANCELLED_RECURRING_TRANSACTION: 'subscription_canceled',
  CREDIT_NOT_PROCESSED: 'credit_not_processed',
  INVALID_ACCOUNT: 'processing_error',
};

type Disputed = { readonly transaction: Transaction; readonly captured: Captured };

/** Returns the stage and the status of a dispute. Null for an unknown word. */
export function stateOf({ type, status }: Pick<Dispute, 'type' | 'status'>) {
  const stage = STAGES[type ?? ''];
  const state = STATUSES[status ?? ''];
  return stage && state ? { stage, status: state } : null;
}

/** Reads a dispute of a transaction, in its present state. Null for an unknown word, and for money that we cannot express. */
export function disputeNotice(given: Dispute, { transaction, captured }: Disputed): DisputeNotice | null {
  const state = stateOf(given);
  const money = moneyFromWire(given.amountDisputed);
  if (!state || money === null) return null;
  const { reason, reasonCode } = given.processorResponse ?? {};
  return {
    ...{ eventKey: '', occurredAt: given.receivedDate },
    key: captureKeyOf(transaction, captured),
    ...{ reference: captureReferenceOf(transaction, captured), paymentReference: transaction.id },
    dispute: {
      ...{ disputeReference: given.id, ...state, money },
      reason: REASONS[reason ?? ''] ?? 'general',
      reasonCode: reasonCode ?? reason ?? null,
      respondBy: state.status === 'needs_response' ? given.responseDeadline : null,
    },
  };
}
