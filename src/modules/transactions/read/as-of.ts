import type { Operation } from '../model/operation.ts';
import type { Redemption, RedemptionStatus } from '../model/redemption.ts';
import type { Transaction } from '../model/transaction.ts';

/** The moment of a stored answer, with the answered operation as it was then. */
export type StoredMoment = { readonly at: Date; readonly operation: Operation };

/** A transaction as an answer shows it. `stored` is set on the transaction of a stored answer. */
export type ShownTransaction = Transaction & { readonly stored?: StoredMoment };

/** An operation as an answer shows it. `of` is the transaction of the same stored answer. */
export type ShownOperation = Operation & { readonly of?: ShownTransaction };

/**
 * Returns the operations of a stored answer as they were then. Later operations are absent, and an operation that ended
 * later is pending. The end of an operation overwrites the words of its acceptance, so these are null. The count of
 * requests is the present one.
 */
export const operationsAt = (
  operations: readonly Operation[],
  { at, operation: answered }: StoredMoment,
): readonly Operation[] =>
  operations
    .filter(({ id, createdAt }) => id === answered.id || createdAt <= at)
    .map((operation) => (operation.id === answered.id ? answered : operationAt(operation, at)));

function operationAt(present: Operation, at: Date): Operation {
  const operation = unreversedAt(present, at);
  if (operation.settledAt === null || operation.settledAt <= at) return undecidedAt(operation, at);
  return undecidedAt({ ...operation, ...UNDECIDED }, at);
}

/** Takes away the reversals that came later. */
function unreversedAt(operation: Operation, at: Date): Operation {
  if (!operation.reversals) return operation;
  const reversals = operation.reversals.filter((one) => new Date(one.at) <= at);
  const reversedAmount = reversals.reduce((sum, { amount }) => sum + amount, 0);
  return { ...operation, reversedAmount, reversals: reversals.length > 0 ? reversals : null };
}

/** Takes away an acceptance and an unknown outcome that came later. */
function undecidedAt(operation: Operation, at: Date): Operation {
  const isIn = (moment: Date | null): boolean => moment !== null && moment <= at;
  const isKnown = operation.status !== 'pending' || isIn(operation.acceptedAt);
  return {
    ...operation,
    acceptedAt: isIn(operation.acceptedAt) ? operation.acceptedAt : null,
    providerReference: isKnown || operation.kind === 'cancel' ? operation.providerReference : null,
    unknownAt: isIn(operation.unknownAt) ? operation.unknownAt : null,
    updatedAt: operation.updatedAt > at ? at : operation.updatedAt,
  };
}

const UNDECIDED = {
  status: 'pending',
  ...{ errorCode: null, rawResponseCode: null, rawResponseDescription: null, settledAt: null },
  ...{ authResponseCode: null, networkResponseCode: null, merchantAdviceCode: null },
} as const;

/** Returns the redemptions of a stored answer as they were then. `operations` are the present ones. */
export function redemptionsAt(
  redemptions: readonly Redemption[],
  operations: readonly Operation[],
  stored: StoredMoment,
): readonly Redemption[] {
  const then = operationsAt(operations, stored);
  return redemptions.map((redemption) =>
    redemption.updatedAt <= stored.at ? redemption : redemptionAt(redemption, then, stored.at),
  );
}

function redemptionAt(redemption: Redemption, then: readonly Operation[], at: Date): Redemption {
  const redeem = then.find(({ id }) => id === redemption.id);
  const reversal = then.find(({ id }) => id === redemption.reversalId);
  const refunds = then.filter(
    ({ kind, redemptionId }) => kind === 'refund' && redemptionId === redemption.id,
  );
  const sumOf = (status: Operation['status']): number =>
    refunds.filter((refund) => refund.status === status).reduce((sum, { amount }) => sum + amount, 0);
  return {
    ...redemption,
    status: reversal ? REVERSED[reversal.status] : redeem ? REDEEMED[redeem.status] : 'created',
    refundedAmount: sumOf('succeeded'),
    refundPendingAmount: sumOf('pending'),
    providerReference: redeem?.providerReference ?? null,
    errorCode: redeem?.errorCode ?? null,
    rawResponseCode: redeem?.rawResponseCode ?? null,
    rawResponseDescription: redeem?.rawResponseDescription ?? null,
    updatedAt: at,
  };
}

type Statuses = Readonly<Record<Operation['status'], RedemptionStatus>>;

const REDEEMED: Statuses = {
  pending: 'pending',
  succeeded: 'succeeded',
  declined: 'failed',
  failed: 'failed',
};

/** A reversal that a person declared failed leaves the redemption in place. */
const REVERSED: Statuses = {
  pending: 'reversing',
  succeeded: 'reversed',
  declined: 'succeeded',
  failed: 'succeeded',
};
