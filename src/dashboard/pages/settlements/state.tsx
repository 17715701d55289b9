import type { SettlementKind } from '../../../client/generated/schema.ts';
import { Pill } from '../../design/pieces.tsx';
import { texts } from '../../texts/texts.ts';

type Compared = {
  readonly kind: SettlementKind;
  readonly difference: { readonly explanation: string | null } | null;
};

/** The kinds without an operation. Nothing in the books compares to them. */
const ALONE: readonly SettlementKind[] = ['FEE', 'PAYOUT', 'PAYOUT_REVERSAL'];

/** Tells whether an entry fits the books. Nothing for an entry that has no operation. */
export function EntryState({ kind, difference }: Compared) {
  const { state } = texts.settlements;
  if (difference === null) return ALONE.includes(kind) ? null : <Pill tone="good">{state.fits}</Pill>;
  return difference.explanation === null ? (
    <Pill tone="wait">{state.differs}</Pill>
  ) : (
    <Pill tone="calm">{state.explained}</Pill>
  );
}
