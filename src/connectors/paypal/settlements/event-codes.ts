import type { SettlementKind } from '../../settlements.ts';

/** A movement of one code may go in both directions. `out` is money that leaves the balance. */
type Kinds = { readonly into: SettlementKind; readonly out: SettlementKind };

const both = (kind: SettlementKind): Kinds => ({ into: kind, out: kind });
const DISPUTED: Kinds = { into: 'chargeback_reversal', out: 'chargeback' };
const PAID_OUT: Kinds = { into: 'payout_reversal', out: 'payout' };

/** The codes with a meaning of their own. */
const CODES: Readonly<Record<string, Kinds>> = {
  // Withdrawals to a bank that came back.
  T1101: PAID_OUT,
  // A refund is the merchant's.
  T1107: { into: 'reversal', out: 'refund' },
  T1108: both('fee'),
  T1109: both('fee'),
  // The money of a dispute is held, and released with the decision.
  T1110: DISPUTED,
  T1111: DISPUTED,
  T1201: DISPUTED,
  T1202: DISPUTED,
  T1205: DISPUTED,
  T1207: DISPUTED,
  T1208: DISPUTED,
};

/** The groups of codes, by their first two digits. */
const GROUPS: Readonly<Record<string, Kinds>> = {
  T00: { into: 'charge', out: 'adjustment' },
  T01: both('fee'),
  T04: PAID_OUT,
  T06: PAID_OUT,
  T11: both('reversal'),
  T17: PAID_OUT,
};

/** Returns the kind of a movement. All other codes are adjustments: conversions, deposits, holds and corrections. */
export function kindOf(code: string, units: number): SettlementKind {
  const kinds = CODES[code] ?? GROUPS[code.slice(0, 3)];
  if (!kinds) return 'adjustment';
  return units < 0 ? kinds.out : kinds.into;
}
