import { writeMoney } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';
import type { FoundDifference } from './difference.ts';

const { differences, payment, settlements, unresolved } = texts;
const { compared } = differences;

/** The values of one side. Null for a value that the side does not tell. */
export type Side = {
  readonly kind: string | null;
  readonly amount: string | null;
  readonly outcome: string | null;
  readonly reference: string | null;
};

type Entry = FoundDifference['transaction']['settlement']['entries'][number];

/** Returns the report of the provider. Null if the difference comes from a settlement, or if the provider knows no operation. */
export function reportSide(difference: FoundDifference): Side | null {
  const { source, finding } = difference;
  return source === 'SETTLEMENT' || finding === 'MISSING_AT_PROVIDER' ? null : reported(difference);
}

const reported = ({ finding, operationKind, reported: money, ...difference }: FoundDifference): Side => ({
  kind: operationKind && payment.timeline.kind[operationKind],
  amount: money && writeMoney(money),
  outcome: outcomeOf({ ...difference, finding }),
  reference: difference.paymentServiceReference,
});

const REVERSALS: readonly FoundDifference['finding'][] = ['EXCEEDS_OPERATION', 'POSSIBLE_REPEAT'];
const SUCCESSES: readonly FoundDifference['finding'][] = [
  ...(['CAPTURED_EXCEEDS_AUTHORIZED', 'REFUNDED_EXCEEDS_CAPTURED', 'UNDECIDED'] as const),
];

/** The outcome at the provider as far as the finding tells it. Everything that can be adopted has succeeded. */
function outcomeOf({ finding, adoptable }: Pick<FoundDifference, 'finding' | 'adoptable'>): string | null {
  if (REVERSALS.includes(finding)) return compared.reversed;
  return adoptable || SUCCESSES.includes(finding) ? unresolved.status.SUCCEEDED : null;
}

/** Returns the settled side with its entry. Null if nothing is settled so far. */
export function settledSide(
  difference: FoundDifference,
): (Side & { readonly entryId: string | null }) | null {
  const entry = entryOf(difference);
  if (entry) return { ...sideOfEntry(entry), entryId: entry.id };
  return difference.source === 'SETTLEMENT' ? { ...reported(difference), entryId: null } : null;
}

/** Finds the entry of the operation here, or the one that the difference is about. */
function entryOf({ operation, paymentServiceReference, transaction }: FoundDifference): Entry | undefined {
  const { settlement } = transaction as Partial<FoundDifference['transaction']>;
  return settlement?.entries.find(
    ({ operationId, paymentServiceSettlementId: id }) =>
      id === paymentServiceReference || (operationId !== null && operationId === operation?.id),
  );
}

function sideOfEntry(entry: Entry): Side {
  const { kind, gross, currency, originalAmount, originalCurrency } = entry;
  const money =
    originalAmount !== null && originalCurrency !== null
      ? { amount: originalAmount, currency: originalCurrency }
      : { amount: Math.abs(gross), currency };
  return {
    kind: settlements.kind[kind],
    amount: writeMoney(money),
    outcome: settlements.compared.settled,
    reference: entry.paymentServiceSettlementId,
  };
}

/** Returns the operation here. Null if none matches the report. */
export function ledgerSide({ operation }: FoundDifference): Side | null {
  return (
    operation && {
      kind: payment.timeline.kind[operation.kind],
      amount: writeMoney(operation),
      outcome: unresolved.status[operation.status],
      reference: operation.paymentServiceReference,
    }
  );
}
