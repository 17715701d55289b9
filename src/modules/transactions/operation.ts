import { next } from '../../kernel/machine.ts';
import type { Outcome } from '../../connectors/connector.ts';
import { lifecycle, type Intent, type TransactionEvent, type TransactionStatus } from './transaction.ts';

export type OperationKind = 'authorize' | 'capture' | 'refund' | 'void';
export type OperationStatus = 'pending' | 'succeeded' | 'declined' | 'failed';

/** One authorisation, capture, refund or void. Its id is the key that the provider is given on every attempt. */
export type Operation = {
  readonly merchantAccountId: string;
  readonly id: string;
  readonly transactionId: string;
  readonly kind: OperationKind;
  readonly status: OperationStatus;
  /** Minor units of `currency`. */
  readonly amount: number;
  readonly currency: string;
  readonly idempotencyKey: string | null;
  readonly externalIdentifier: string | null;
  readonly reason: string | null;
  readonly sealedCard: string | null;
  readonly providerReference: string | null;
  readonly errorCode: string | null;
  readonly rawResponseCode: string | null;
  readonly rawResponseDescription: string | null;
  readonly attempts: number;
  /** Until when somebody is calling the provider; null when nobody is. */
  readonly leaseUntil: Date | null;
  /** When reconciliation takes the operation up, if it is still pending then. */
  readonly nextAttemptAt: Date | null;
  readonly settledAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

/** An outcome that ends an operation. */
export type FinalOutcome = Exclude<Outcome, { readonly kind: 'unknown' }>;

/** The mutation that makes an operation; idempotency keys are kept under its name. */
export const mutationOf = {
  authorize: 'createTransaction',
  capture: 'captureTransaction',
  refund: 'refundTransaction',
  void: 'voidTransaction',
} as const satisfies Record<OperationKind, string>;

/** What an outcome means for the transaction, or null when its status stays (a refund; a refused capture or void). */
export function eventOf(
  kind: OperationKind,
  intent: Intent,
  outcome: FinalOutcome['kind'],
): TransactionEvent | null {
  if (kind === 'authorize') {
    if (outcome === 'succeeded') return intent;
    return outcome === 'declined' ? 'decline' : 'fail';
  }
  return outcome === 'succeeded' && kind !== 'refund' ? kind : null;
}

/** The transaction's status after an outcome; throws when the table knows no such way, for that is a bug. */
export function statusAfter(
  status: TransactionStatus,
  kind: OperationKind,
  intent: Intent,
  outcome: FinalOutcome['kind'],
): TransactionStatus {
  const event = eventOf(kind, intent, outcome);
  if (event === null) return status;
  const after = next<TransactionStatus, TransactionEvent>(lifecycle, status, event);
  if (after === null) throw new Error(`No way from ${status} on ${event}`);
  return after;
}
