import type { App, Viewer } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/validate.ts';
import { followUp } from './follow-up.ts';
import type { Answer } from '../engine/replay.ts';
import { refundGiftCards } from './refund-to-gift-cards.ts';
import { refundInput } from '../input/inputs.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';

/**
 * Refunds part or all of a captured transaction. Several refunds are possible until nothing remains. The money goes to
 * the payment method, unless input.target names another target. `followUp` and `refundGiftCards` say what a refund
 * commits.
 * - `input.amount`: minor units, from 1 to the refundable amount, never reduced to fit. Left out, it is the whole
 *   refundable amount.
 * - `input.force`: refunds in spite of an open dispute, which otherwise refuses the refund.
 */
export async function refundTransaction(
  app: App,
  viewer: Viewer,
  transactionId: string,
  input: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answer, FollowUpRefusal>> {
  const checked = parseInput(refundInput, input);
  if (!checked.ok) return checked;
  const { target, redemptionId, ...requested } = checked.value;
  if (target === 'payment_method') {
    const whole = { final: true, idempotencyKey };
    return followUp(app, viewer, { kind: 'refund', transactionId, ...whole, ...requested });
  }
  return refundGiftCards(app, viewer, {
    ...{ transactionId, idempotencyKey, ...requested },
    target: redemptionId === null ? { kind: 'all' } : { kind: 'redemption', redemptionId },
  });
}
