import { apportion } from '../../../kernel/money.ts';
import type { RefundedShare, Split, Splits } from '../../../connectors/interface/requests.ts';

export { SPLIT_KINDS, type Split } from '../../../connectors/interface/requests.ts';

/** The share of one account in a payment, with what became of it. Minor units of the payment's currency. */
export type SplitShare = Split & {
  /** Reserved by captures under way. */
  readonly capturePendingAmount: number;
  readonly capturedAmount: number;
  /** Reserved by refunds under way. */
  readonly refundPendingAmount: number;
  readonly refundedAmount: number;
};

/** The shares of an operation, in the order of the payment's shares. */
export type OperationSplits = Splits & {
  /** The captures of a refund with the parts of the accounts. Absent for captures, and for a refund made at the provider. */
  readonly captures?: readonly CaptureSplits[];
};

/** The part of a refund that is of one capture. */
export type CaptureSplits = {
  readonly operationId: string;
  readonly amount: number;
  /** The shares make the amount. */
  readonly shares: readonly RefundedShare[];
};

/** Returns the shares of a payment before any capture. */
export const newShares = (splits: readonly Split[]): readonly SplitShare[] =>
  splits.map((split) => ({
    ...split,
    ...{ capturePendingAmount: 0, capturedAmount: 0, refundPendingAmount: 0, refundedAmount: 0 },
  }));

/** The rest of a share that an operation of each kind can take. */
export const LEFT = {
  capture: ({ amount, capturedAmount, capturePendingAmount }: SplitShare): number =>
    amount - capturedAmount - capturePendingAmount,
  refund: ({ capturedAmount, refundedAmount, refundPendingAmount }: SplitShare): number =>
    Math.max(capturedAmount - refundedAmount - refundPendingAmount, 0),
} as const;

/** The amounts of a share that an operation moves. */
type Moved = 'capturePendingAmount' | 'capturedAmount' | 'refundPendingAmount' | 'refundedAmount';

/** The directions in which the shares of an operation move: 1 adds, and -1 subtracts. */
export type Moves = Partial<Readonly<Record<Moved, 1 | -1>>>;

/** A payment in its part that is about shares. */
type Shared = { readonly splits: readonly SplitShare[] | null };

/** An operation and its payment, in their parts that are about shares. */
type Splitting = {
  readonly transaction: Shared;
  readonly operation: {
    readonly kind: string;
    readonly amount: number;
    readonly splits: OperationSplits | null;
  };
};

/** Returns the change of a payment's shares by an operation. Empty for a payment or an operation without shares. */
export function movedShares(given: Splitting, moves: Moves): { readonly splits?: readonly SplitShare[] } {
  const { splits } = given.transaction;
  const taken = takenBy(given);
  return splits && taken ? { splits: shiftShares(splits, sumOfParts(taken), moves) } : {};
}

/** Moves the amounts of shares. `taken` has an amount for each share. */
export const shiftShares = (
  shares: readonly SplitShare[],
  taken: readonly number[],
  moves: Moves,
): readonly SplitShare[] =>
  shares.map((share, place) => {
    const by = taken[place] ?? 0;
    return {
      ...share,
      capturePendingAmount: share.capturePendingAmount + by * (moves.capturePendingAmount ?? 0),
      capturedAmount: share.capturedAmount + by * (moves.capturedAmount ?? 0),
      refundPendingAmount: share.refundPendingAmount + by * (moves.refundPendingAmount ?? 0),
      refundedAmount: share.refundedAmount + by * (moves.refundedAmount ?? 0),
    };
  });

/**
 * Shares out a capture or a refund of the provider, in proportion to the rests of the payment's shares. Money
 * beyond the shares belongs to no account. Other operations move no shares.
 */
export function sharesElsewhere(
  transaction: Shared,
  kind: string,
  { amount, unit }: Divided,
): { readonly splits: OperationSplits | null; readonly patch: { readonly splits?: readonly SplitShare[] } } {
  const { splits: before } = transaction;
  if (!before || (kind !== 'capture' && kind !== 'refund')) return { splits: null, patch: {} };
  const left = before.map(LEFT[kind]);
  const shared = Math.min(amount, sumOf(left));
  const splits =
    shared > 0 ? { inProportion: true, shares: withAmounts(before, apportionBy(unit, shared, left)) } : null;
  const moves: Moves = kind === 'capture' ? { capturedAmount: 1 } : { refundedAmount: 1 };
  return { splits, patch: movedShares({ transaction, operation: { kind, amount, splits } }, moves) };
}

/**
 * Apportions an amount by weights, in multiples of a unit. A report of the provider can have an amount that is no multiple. Its parts
 * are to the minor unit then.
 */
export function apportionBy(unit: number, amount: number, weights: readonly number[]): readonly number[] {
  const isRound = [amount, ...weights].every((each) => each % unit === 0);
  return apportion(amount, weights, isRound ? unit : 1);
}

/** Returns shares with other amounts, without what became of them. */
export const withAmounts = (shares: readonly Split[], amounts: readonly number[]): readonly Split[] =>
  shares.map(({ kind, account, reference }, place) => ({
    ...{ kind, account, amount: amounts[place] ?? 0, reference },
  }));

/** Amounts of an operation by share. A refund has a part for each of its captures, other operations have one part. */
export type SharedParts = readonly (readonly number[])[];

/**
 * Returns the amounts that an operation takes of each share. A sale takes the whole shares, or as much of them as the provider
 * approved. Null if the shares are not known.
 */
function takenBy({ transaction, operation }: Splitting): SharedParts | null {
  const { splits } = operation;
  if (operation.kind === 'authorize') {
    const whole = transaction.splits?.map(({ amount }) => amount);
    return whole ? [apportion(Math.min(operation.amount, sumOf(whole)), whole)] : null;
  }
  return splits && (splits.captures ?? [splits]).map(({ shares }) => shares.map(({ amount }) => amount));
}

/** An amount in minor units that is shared out in multiples of a unit. */
export type Divided = { readonly amount: number; readonly unit: number };

/** An operation with the amounts of its earlier reversals. */
type Reversible = Splitting & {
  readonly operation: {
    readonly reversals: readonly ReversedPart[] | null;
  };
};

/** A reversal in its part that is about shares. */
type ReversedPart = { readonly key: string; readonly amount: number; readonly unit?: number };

/** Returns the amounts of each share that the reversals of an operation left. Null if the shares are not known. */
export const keptBy = (given: Reversible): SharedParts | null => {
  const taken = takenBy(given);
  return taken && takeAllBack(taken, given.operation.reversals);
};

/** Takes the amounts of reversals back from parts, in their order. */
export const takeAllBack = (parts: SharedParts, reversals: readonly ReversedPart[] | null): SharedParts =>
  (reversals ?? []).reduce((kept, { amount, unit = 1 }) => takeBack(kept, { amount, unit }), parts);

/** Takes an amount back from parts, from the last part first. Takes at most all. */
function takeBack(parts: SharedParts, { amount, unit }: Divided): SharedParts {
  let rest = amount;
  return parts
    .toReversed()
    .map((part) => {
      const taken = Math.min(rest, sumOf(part));
      rest -= taken;
      return lessBy(part, apportionBy(unit, taken, part));
    })
    .toReversed();
}

/**
 * Returns the change of a payment's shares by the reversal of a part of an operation. The part is shared out in proportion to what
 * the earlier reversals left of the operation.
 */
export function reversedShares(
  given: Reversible,
  reversed: Divided,
): { readonly splits?: readonly SplitShare[] } {
  const { splits } = given.transaction;
  const kept = keptBy(given);
  if (!splits || !kept) return {};
  const taken = lessBy(sumOfParts(kept), sumOfParts(takeBack(kept, reversed)));
  const moves: Moves = given.operation.kind === 'refund' ? { refundedAmount: -1 } : { capturedAmount: -1 };
  return { splits: shiftShares(splits, taken, moves) };
}

/** Returns the shares that the reversal of a key took back. Null if they are not known. */
export function sharesOfReversal(
  { transaction, operation }: Reversible,
  key: string,
): readonly Split[] | null {
  const { splits } = transaction;
  const reversals = operation.reversals ?? [];
  const place = reversals.findIndex((each) => each.key === key);
  const keptAfter = (count: number): SharedParts | null =>
    keptBy({ transaction, operation: { ...operation, reversals: reversals.slice(0, count) } });
  const [before, after] = [keptAfter(place), keptAfter(place + 1)];
  if (!splits || place === -1 || !before || !after) return null;
  return inPlay(withAmounts(splits, lessBy(sumOfParts(before), sumOfParts(after))));
}

export const lessBy = (amounts: readonly number[], taken: readonly number[]): readonly number[] =>
  amounts.map((amount, place) => amount - (taken[place] ?? 0));

export const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0);

/** Returns the sum of parts for each share. */
export const sumOfParts = (parts: SharedParts): readonly number[] =>
  (parts[0] ?? []).map((_, place) => sumOf(parts.map((part) => part[place] ?? 0)));

const inPlay = (shares: readonly Split[]): readonly Split[] => shares.filter(({ amount }) => amount > 0);

/** Returns the shares of an operation for readers. Null without any. */
export const sharesOf = ({ splits }: { readonly splits?: OperationSplits | null }): readonly Split[] | null =>
  splits ? inPlay(splits.shares) : null;

/** Returns the shares that an operation captured. A sale captures by its authorisation. Null without any. */
export function sharesTaken(given: Splitting): readonly Split[] | null {
  const { splits } = given.transaction;
  const taken = takenBy(given);
  return splits && taken && inPlay(withAmounts(splits, sumOfParts(taken)));
}

/** Returns the shares of a whole payment for its provider. Null without any. */
export const wholeShares = (splits: readonly SplitShare[] | null): Splits | null =>
  splits && {
    inProportion: true,
    shares: withAmounts(
      splits,
      splits.map(({ amount }) => amount),
    ),
  };
