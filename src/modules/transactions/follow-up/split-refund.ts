import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { decideFollowUp, type Decision, type Subject } from '../follow-up-claim/decide-follow-up.ts';
import { hasEndedInVain, refundable } from '../model/transaction.ts';
import { refundableTo, type Redemption } from '../model/redemption.ts';

/** The target of a refund: one gift card, or every instrument that paid. */
export type Target =
  | { readonly kind: 'redemption'; readonly redemptionId: string }
  | { readonly kind: 'all' };

/**
 * The refund to one instrument in minor units, at least 1. The payment method is the instrument when `redemption` is
 * null.
 */
export type Part = { readonly redemption: Redemption | null; readonly amount: number };

/**
 * The requested refund.
 *
 * - `amount` is in minor units, and null means the whole.
 * - `force` ignores an open dispute.
 * - `isMethodDone`: the payment method has its part already.
 */
type Wanted = {
  readonly target: Target;
  readonly amount: number | null;
  readonly force: boolean;
  readonly isMethodDone?: boolean;
};

type Refusal = NotFound | NonNullable<Decision>;

/**
 * Splits a refund over the instruments that paid. Pure. A null amount means the whole remaining amount.
 * The payment method comes first, then the gift cards in the order of their redemption. Each gets at most its remaining
 * amount. Only a captured payment is refunded, with one exception. A payment that ended without success may keep a gift
 * card's money, and this card is refunded.
 */
export function splitRefund(
  subject: Subject,
  redemptions: readonly Redemption[],
  { target, amount, force, isMethodDone = false }: Wanted,
): Result<readonly Part[], Refusal> {
  const { transaction } = subject;
  const { status, currency } = transaction;
  const isOne = target.kind === 'redemption';
  const targets = isOne
    ? redemptions.filter(({ id }) => id === target.redemptionId.toLowerCase())
    : [...(isMethodDone ? [] : [null]), ...redemptions];
  if (targets.length === 0) return refuse(notFound('gift card redemption', ['input', 'redemptionId']));
  if (status !== 'capture_succeeded' && !(isOne && hasEndedInVain(transaction)))
    return refuse({ kind: 'OperationNotAllowed', operation: 'refund', status });
  const leftOf = (redemption: Redemption | null): number =>
    redemption ? refundableTo(redemption) : refundable(transaction).amount;
  const left = targets.reduce((sum, each) => sum + leftOf(each), 0);
  const requested = amount ?? left;
  if (requested < 1 || requested > left)
    return refuse({ kind: 'RefundTooLarge', refundable: { amount: left, currency } });
  let rest = requested;
  const parts = targets.map((redemption) => {
    const part = Math.min(leftOf(redemption), rest);
    rest -= part;
    return { redemption, amount: part };
  });
  const taking = parts.filter((part) => part.amount > 0);
  const [method] = taking.filter(({ redemption }) => redemption === null);
  const refusal =
    method && decideFollowUp(subject, { kind: 'refund', amount: method.amount, final: true, force });
  return refusal ? refuse(refusal) : ok(taking);
}
