import type { SettlementKind } from '../../door.ts';

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

/** The other groups: conversions, deposits, holds, corrections and movements between balances. */
const ADJUSTMENTS: ReadonlySet<string> = new Set([
  ...['T02', 'T03', 'T05', 'T07', 'T08', 'T09', 'T10', 'T12', 'T13', 'T14', 'T15', 'T16', 'T18'],
  ...['T19', 'T20', 'T21', 'T22', 'T30', 'T31', 'T32', 'T50', 'T97', 'T98', 'T99'],
]);

/** Returns the kind of a movement. A code of no listed group is of the kind `unknown`. */
export function kindOf(code: string, units: number): SettlementKind {
  const group = code.slice(0, 3);
  const kinds = CODES[code] ?? GROUPS[group];
  if (!kinds) return ADJUSTMENTS.has(group) ? 'adjustment' : 'unknown';
  return units < 0 ? kinds.out : kinds.into;
}
