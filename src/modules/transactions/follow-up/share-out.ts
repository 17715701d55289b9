import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { differenceMessage, isSameAccount, type GivenShare } from '../input/splits.ts';
import type { SharesClaim } from '../follow-up-claim/claim.sql.ts';
import type { CaptureTooLarge, RefundTooLarge } from '../model/refusals.ts';
import {
  apportionBy,
  LEFT,
  shiftShares,
  sumOf,
  sumOfParts,
  withAmounts,
  type CaptureSplits,
  type SharedParts,
  type SplitShare,
} from '../model/splits.ts';
import { capturable, refundable, type Transaction } from '../model/transaction.ts';
import type { SharedCapture } from './shared-captures.ts';

/** A capture or a refund whose amount is allowed. A null amount means all that is left. */
export type Sharing = {
  readonly amount: number | null;
  /** The shares of the request. Null keeps the shares of the payment in proportion. */
  readonly splits: readonly GivenShare[] | null;
  /** The smallest amount that the provider can express, in minor units. */
  readonly unit: number;
} & (
  | { readonly kind: 'capture' }
  | {
      readonly kind: 'refund';
      /** The captures that the refund is of. Their amounts make that of the refund. */
      readonly captures: readonly SharedCapture[];
    }
);

type ShareRefusal = InvalidInput | CaptureTooLarge | RefundTooLarge;

/**
 * Shares the amount of a capture or a refund out among the accounts of its payment. Pure. Null for a payment without shares.
 *
 * - A capture takes from the shares that no capture has taken.
 * - A refund takes from the shares of each of its captures that no refund has taken. Some providers limit the accounts by
 *   capture.
 * - The shares add up to the amount exactly, and are multiples of the unit.
 * - No account gives more than its rest.
 */
export function shareOut(
  transaction: Transaction,
  sharing: Sharing,
): Result<SharesClaim | null, ShareRefusal> {
  const { splits: before } = transaction;
  if (!before) return sharing.splits ? refuse(invalidInput(PATH, NO_SHARES)) : ok(null);
  const { unit } = sharing;
  const amount = amountOf(transaction, before, sharing);
  if (amount % unit !== 0) return refuse(invalidInput(['input', 'amount'], noMultiple(unit)));
  const parts = partsOf({ transaction, before, amount }, sharing);
  if (!parts.ok) return parts;
  const taken = sumOfParts(parts.value);
  return ok({
    ...{ amount, before },
    splits: {
      ...{ shares: withAmounts(before, taken), inProportion: sharing.splits === null },
      ...(sharing.kind === 'capture' && isFirst(transaction) && { isFirst: true }),
      ...(sharing.kind === 'refund' && {
        captures: sharing.captures.map((capture, nth) => sharedBy(before, capture, parts.value[nth] ?? [])),
      }),
    },
    after: shiftShares(before, taken, RESERVES[sharing.kind]),
  });
}

const sharedBy = (
  before: readonly SplitShare[],
  { operationId, amount, captured }: SharedCapture,
  part: readonly number[],
): CaptureSplits => ({
  ...{ operationId, amount },
  shares: withAmounts(before, part).map((share, place) => ({
    ...share,
    capturedAmount: captured[place] ?? 0,
  })),
});

const PATH = ['input', 'splits'];
const NO_SHARES = 'The payment has no splits. Give the splits with createTransaction.';
const noMultiple = (unit: number): string =>
  `Must be a multiple of ${unit}, the smallest amount of the provider in this currency.`;

const RESERVES = {
  capture: { capturePendingAmount: 1 },
  refund: { refundPendingAmount: 1 },
} as const;

/** An increase at the provider leaves more to capture than the shares. Null then means the rest of the shares. */
function amountOf(
  transaction: Transaction,
  before: readonly SplitShare[],
  { amount, kind }: Sharing,
): number {
  if (amount !== null) return amount;
  return kind === 'refund'
    ? refundable(transaction).amount
    : Math.min(capturable(transaction).amount, sumOf(before.map(LEFT.capture)));
}

const isFirst = ({ capturedAmount, capturePendingAmount, captureReversedAmount }: Transaction): boolean =>
  capturedAmount + capturePendingAmount + captureReversedAmount === 0;

type Wanted = {
  readonly transaction: Transaction;
  readonly before: readonly SplitShare[];
  readonly amount: number;
};

/** A part of the amount, with the rests of the shares that bear the part. */
type Borne = { readonly amount: number; readonly left: readonly number[] };

/** Returns the amounts of each share: one part for a capture, and one for each capture of a refund. */
function partsOf(wanted: Wanted, sharing: Sharing): Result<SharedParts, ShareRefusal> {
  const { before, amount } = wanted;
  const borne: readonly Borne[] =
    sharing.kind === 'refund' ? sharing.captures : [{ amount, left: before.map(LEFT.capture) }];
  const { splits: given, unit } = sharing;
  if (given === null) return proportion(wanted, borne, sharing);
  const [only, ...others] = borne;
  if (!only) throw new Error('A refund is of a capture at least');
  if (others.length > 0) return refuse(invalidInput(PATH, severalCaptures(only.amount)));
  const parts = givenParts(before, only, { given, unit });
  return parts.ok ? ok([parts.value]) : parts;
}

const severalCaptures = (rest: number): string =>
  `Each capture has shares of its own. Refund at most ${rest}, the rest of the oldest capture, or leave the splits out.`;

function proportion(
  { transaction: { currency } }: Wanted,
  borne: readonly Borne[],
  { kind, unit }: Sharing,
): Result<SharedParts, ShareRefusal> {
  // A report of the provider can leave a rest that is no multiple. Nobody can move the excess.
  const rests = borne.map(({ left }) => left.map((rest) => rest - (rest % unit)));
  const isCarried = borne.every(({ amount }, nth) => amount <= sumOf(rests[nth] ?? []));
  if (isCarried) return ok(borne.map(({ amount }, nth) => apportionBy(unit, amount, rests[nth] ?? [])));
  const most = borne.map(({ amount }, nth) => Math.min(amount, sumOf(rests[nth] ?? [])));
  const rest = { amount: kind === 'capture' ? sumOf(rests[0] ?? []) : sumOf(most), currency };
  return refuse(
    kind === 'capture'
      ? { kind: 'CaptureTooLarge', capturable: rest }
      : { kind: 'RefundTooLarge', refundable: rest },
  );
}

type Given = { readonly given: readonly GivenShare[]; readonly unit: number };

function givenParts(
  before: readonly SplitShare[],
  { amount, left }: Borne,
  { given, unit }: Given,
): Result<readonly number[], InvalidInput> {
  const refusals = given.flatMap((share, index) => {
    const place = before.findIndex((each) => isSameAccount(each, share));
    if (place === -1) return [invalidInput([...PATH, String(index), 'account'], NO_SUCH_ACCOUNT)];
    const rest = left[place] ?? 0;
    const path = [...PATH, String(index), 'amount'];
    if (share.amount > rest) return [invalidInput(path, `Must be at most ${rest}, the rest of the account.`)];
    return share.amount % unit === 0 ? [] : [invalidInput(path, noMultiple(unit))];
  });
  const difference = amount - sumOf(given.map((share) => share.amount));
  if (difference !== 0) refusals.push(invalidInput(PATH, differenceMessage(difference)));
  const [first, ...more] = refusals;
  if (first) return refuse(first, ...more);
  return ok(before.map((each) => given.find((share) => isSameAccount(each, share))?.amount ?? 0));
}

const NO_SUCH_ACCOUNT = 'Must be an account in the splits of the payment, with the same kind.';
