import type { CaptureTooLarge, OperationNotAllowed, RefundTooLarge } from './refusals.ts';
import type { OperationKind } from './operation.ts';
import { capturable, refundable, voidable, type Transaction } from './transaction.ts';

type Decision = OperationNotAllowed | CaptureTooLarge | RefundTooLarge | null;

/**
 * Whether an operation may start, as a pure question: null is yes. The claim statement asks the same of the locked row;
 * a property test keeps the two equal. Status comes before amount.
 * amount: minor units; null means all that is left.
 */
export function decide(kind: FollowUpKind, transaction: Transaction, amount: number | null): Decision {
  return deciders[kind](transaction, amount);
}

export type FollowUpKind = Exclude<OperationKind, 'authorize'>;

const deciders = { capture: decideCapture, refund: decideRefund, void: decideVoid } as const;

function decideCapture(transaction: Transaction, amount: number | null): Decision {
  if (transaction.status !== 'authorization_succeeded' || transaction.voidPending) {
    return notAllowed('capture', transaction);
  }
  const left = capturable(transaction);
  return left.amount > 0 && (amount ?? left.amount) <= left.amount
    ? null
    : { kind: 'CaptureTooLarge', capturable: left };
}

function decideRefund(transaction: Transaction, amount: number | null): Decision {
  if (transaction.status !== 'capture_succeeded') return notAllowed('refund', transaction);
  const left = refundable(transaction);
  return left.amount > 0 && (amount ?? left.amount) <= left.amount
    ? null
    : { kind: 'RefundTooLarge', refundable: left };
}

function decideVoid(transaction: Transaction): Decision {
  return voidable(transaction) ? null : notAllowed('void', transaction);
}

const notAllowed = (operation: OperationKind, { status }: Transaction): OperationNotAllowed => ({
  kind: 'OperationNotAllowed',
  operation,
  status,
});
