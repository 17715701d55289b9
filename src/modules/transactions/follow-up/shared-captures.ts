import type { RefundFacts } from '../follow-up-claim/subject.sql.ts';
import type { Operation } from '../model/operation.ts';
import {
  apportionBy,
  keptBy,
  lessBy,
  sumOf,
  sumOfParts,
  takeAllBack,
  type SharedParts,
} from '../model/splits.ts';
import { isSale, type Transaction } from '../model/transaction.ts';

/** A capture that a new refund is of. The lists have an amount for each share of the payment. */
export type SharedCapture = {
  readonly operationId: string;
  /** The part of the refund that is of this capture. */
  readonly amount: number;
  /** The shares in the capture, before any refund. */
  readonly captured: readonly number[];
  /** The shares that neither a reversal nor a refund has taken. */
  readonly left: readonly number[];
};

/**
 * Returns the captures of a new refund with their shares. Pure. A refund that was made at the provider has no parts by
 * capture. Each of its captures bears a part in proportion, in multiples of the provider's unit.
 */
export function sharedCaptures(
  transaction: Transaction,
  { operations, allocated }: RefundFacts,
  unit: number,
): readonly SharedCapture[] {
  const left = new Map<string, readonly number[]>();
  for (const operation of operations)
    if (isCapture(transaction, operation))
      left.set(operation.id, sumOfParts(keptBy({ transaction, operation }) ?? []));
  for (const refund of operations)
    for (const [nth, part] of partsOf({ transaction, operation: refund }, { left, unit }).entries()) {
      const id = refund.refundCaptures?.[nth]?.operationId ?? '';
      left.set(
        id,
        lessBy(left.get(id) ?? [], part).map((rest) => Math.max(rest, 0)),
      );
    }
  return allocated.map(({ operationId, amount }) => {
    const operation = operations.find(({ id }) => id === operationId);
    const captured = operation && keptBy({ transaction, operation: { ...operation, reversals: null } });
    return { operationId, amount, captured: sumOfParts(captured ?? []), left: left.get(operationId) ?? [] };
  });
}

const isCapture = (transaction: Transaction, { kind, status }: Operation): boolean =>
  status === 'succeeded' && (kind === 'capture' || (kind === 'authorize' && isSale(transaction)));

/** Returns the amounts that a refund took of each of its captures. Empty for other operations, and without shares. */
function partsOf(
  given: { readonly transaction: Transaction; readonly operation: Operation },
  { left, unit }: { readonly left: ReadonlyMap<string, readonly number[]>; readonly unit: number },
): SharedParts {
  const { kind, splits, refundCaptures: captures, reversals } = given.operation;
  if (kind !== 'refund' || !splits || !captures) return [];
  if (splits.captures || captures.length === 1) return keptBy(given) ?? [];
  const inProportion = captures.map(({ operationId, amount }) => {
    const rests = left.get(operationId) ?? [];
    return apportionBy(unit, Math.min(amount, sumOf(rests)), rests);
  });
  return takeAllBack(inProportion, reversals);
}
