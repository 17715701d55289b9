import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { decide, type Decision, type Subject } from './decide.ts';
import { hasEndedInVain, refundable } from '../model/transaction.ts';
import { refundableTo, type Redemption } from '../model/redemption.ts';

/** What a refund gives back to: one gift card, or all who paid. */
export type Target =
  | { readonly kind: 'redemption'; readonly redemptionId: string }
  | { readonly kind: 'all' };

/** What one who paid gets back, in minor units, at least 1; `redemption` null: the payment method. */
export type Part = { readonly redemption: Redemption | null; readonly amount: number };

type Refusal = NotFound | NonNullable<Decision>;

/**
 * What each of those who paid gets back, as a pure question; amount null: all that is left. To all who paid: the payment method
 * first, then the gift cards in the order in which they were redeemed, each as much as is left of it. Only what is captured; one
 * gift card also of a payment that has ended without success, should its money be kept there still.
 */
export function splitRefund(
  subject: Subject,
  redemptions: readonly Redemption[],
  { target, amount }: { readonly target: Target; readonly amount: number | null },
): Result<readonly Part[], Refusal> {
  const { transaction } = subject;
  const { status, currency } = transaction;
  const isOne = target.kind === 'redemption';
  const targets = isOne
    ? redemptions.filter(({ id }) => id === target.redemptionId.toLowerCase())
    : [null, ...redemptions];
  if (targets.length === 0) return refuse(notFound('gift card redemption', ['input', 'redemptionId']));
  if (status !== 'capture_succeeded' && !(isOne && hasEndedInVain(transaction)))
    return refuse({ kind: 'OperationNotAllowed', operation: 'refund', status });
  const leftOf = (redemption: Redemption | null): number =>
    redemption ? refundableTo(redemption) : refundable(transaction).amount;
  const left = targets.reduce((sum, each) => sum + leftOf(each), 0);
  const asked = amount ?? left;
  if (asked < 1 || asked > left)
    return refuse({ kind: 'RefundTooLarge', refundable: { amount: left, currency } });
  let rest = asked;
  const parts = targets.map((redemption) => {
    const part = Math.min(leftOf(redemption), rest);
    rest -= part;
    return { redemption, amount: part };
  });
  const taking = parts.filter((part) => part.amount > 0);
  const [method] = taking.filter(({ redemption }) => redemption === null);
  const refusal = method && decide(subject, { kind: 'refund', amount: method.amount, final: true });
  return refusal ? refuse(refusal) : ok(taking);
}
