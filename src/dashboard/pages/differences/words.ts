import type { OperationKind } from '../../../client/generated/schema.ts';
import { writeMoney, type Money } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { DifferenceRow } from './query.ts';

const { differences, payment, unresolved } = texts;

type Reported = Pick<DifferenceRow, 'finding' | 'operationKind' | 'reported'>;

/** Writes the reported operation in a few words, such as "Refund of €4.00". */
export function reportOf({ finding, operationKind: kind, reported }: Reported): string {
  if (finding === 'MISSING_AT_PROVIDER') return differences.unknown;
  if (kind === null) return reported ? writeMoney(reported) : differences.notTold;
  return operationOf(kind, reported);
}

const operationOf = (kind: OperationKind, money: Money | null): string =>
  money ? unresolved.operation(payment.timeline.kind[kind], writeMoney(money)) : payment.timeline.kind[kind];

type Booked = Pick<DifferenceRow, 'operation' | 'operationKind' | 'transaction'>;

/** Writes the side of the ledger: the operation with its outcome. Without one, the sum that the report would change. */
export function ledgerOf({ operation, operationKind, transaction }: Booked): string {
  if (operation) return `${unresolved.status[operation.status]}: ${writeMoney(operation)}`;
  const [label, amount] = sumOf(operationKind, transaction);
  return `${label}: ${writeMoney({ amount, currency: transaction.currency })}`;
}

type Sums = Pick<DifferenceRow['transaction'], 'authorizedAmount' | 'capturedAmount' | 'refundedAmount'>;

function sumOf(kind: OperationKind | null, sums: Sums): readonly [label: string, amount: number] {
  const { amounts } = payment;
  if (kind === 'REFUND') return [amounts.refunded, sums.refundedAmount];
  if (kind === 'CAPTURE' || kind === null) return [amounts.captured, sums.capturedAmount];
  return [amounts.authorized, sums.authorizedAmount];
}

/** Names the payment of a difference by the merchant's reference, or by the end of its id. */
export const paymentOf = ({
  transaction: { externalIdentifier, id },
}: Pick<DifferenceRow, 'transaction'>): string => externalIdentifier ?? id.slice(-12);
