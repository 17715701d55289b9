import type { SimulatorRequest } from '../../src/connectors/sandbox/simulator/simulator.ts';
import type { SplitShare } from '../../src/modules/transactions/model/splits.ts';
import type { Entry } from './books.ts';
import type { Evidence, Violation } from './judge.ts';
import type { OperationRow, TransactionRow } from './state.ts';

/** A payment with shares, its operations, and the work of the provider for these. */
type Shared = {
  readonly row: TransactionRow;
  readonly shares: readonly SplitShare[];
  readonly operations: readonly OperationRow[];
  readonly entries: readonly Entry[];
};

/**
 * Checks the shares of accounts after a history. Nothing is reserved, no share exceeds itself, and the shares add up to the money
 * that was captured and refunded. Without reversals, late approvals and acts of a hand, each account
 * has what the provider moved for it.
 */
export const judgeSplits = (evidence: Evidence): Violation[] =>
  sharedIn(evidence).flatMap((shared) =>
    brokenOf(shared).map((what) => ({
      kind: 'money' as const,
      message: `the shares of transaction ${shared.row.id}: ${what}`,
    })),
  );

/** Lists the payments with shares. */
export function sharedIn({ state, books }: Pick<Evidence, 'state' | 'books'>): Shared[] {
  return state.transactions.flatMap((row) => {
    const operations = state.operations.filter((each) => each.transaction_id === row.id);
    const ids = new Set(operations.map(({ id }) => id));
    const entries = books.entries.filter(({ key, result }) => ids.has(key) && result === 'approved');
    return row.splits ? [{ row, shares: row.splits, operations, entries }] : [];
  });
}

function brokenOf({ row, shares, operations, entries }: Shared): string[] {
  const captured = sumOf(shares.map((share) => share.capturedAmount));
  const refunded = sumOf(shares.map((share) => share.refundedAmount));
  const isByHand = operations.some(({ origin }) => origin === 'provider');
  const isOurs = !isByHand && entries.every(({ reversed, approvedLate }) => reversed === 0 && !approvedLate);
  const broken = [
    shares.some(hasReserved) && 'a share still reserves',
    shares.some(isExceeded) && 'a share exceeds itself',
    // A hand moves money beyond the shares.
    !isByHand && captured !== row.captured_amount && `${captured} captured of ${row.captured_amount}`,
    !isByHand && refunded !== row.refunded_amount && `${refunded} refunded of ${row.refunded_amount}`,
    ...(isOurs ? shares.flatMap((share) => differencesOf(share, entries)) : []),
  ];
  return broken.flatMap((what) => (what ? [what] : []));
}

const hasReserved = ({ capturePendingAmount, refundPendingAmount }: SplitShare): boolean =>
  capturePendingAmount + refundPendingAmount !== 0;

const isExceeded = ({ amount, capturedAmount, refundedAmount }: SplitShare): boolean =>
  capturedAmount < 0 || refundedAmount < 0 || capturedAmount > amount;

/** Compares a share with the work of the provider for its account. */
function differencesOf(share: SplitShare, entries: readonly Entry[]): string[] {
  const moved = (is: (entry: Entry) => boolean): number =>
    sumOf(entries.filter(is).map(({ request }) => partIn(request, share)));
  const captured = moved(isCaptured);
  const refunded = moved(({ verb }) => verb === 'refund');
  return [
    ...(captured === share.capturedAmount
      ? []
      : [`${share.kind} got ${captured}, not ${share.capturedAmount}`]),
    ...(refunded === share.refundedAmount
      ? []
      : [`${share.kind} gave ${refunded}, not ${share.refundedAmount}`]),
  ];
}

const isCaptured = ({ verb, request, released }: Entry): boolean =>
  verb === 'capture' || (verb === 'authorize' && request.capture === true && !released);

const partIn = ({ splits }: SimulatorRequest, { kind, account }: SplitShare): number =>
  splits?.find((each) => each.kind === kind && each.account === account)?.amount ?? 0;

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, each) => sum + each, 0);
