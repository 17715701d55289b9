import type { App, Viewer } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/validate.ts';
import { followUp } from './follow-up.ts';
import type { Answer } from '../engine/replay.ts';
import { refundGiftCards } from './refund-to-gift-cards.ts';
import { refundInput } from '../input/inputs.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';

/**
 * Refunds part or all of a captured transaction; several refunds are possible until nothing is left. To the payment method,
 * unless input.target says otherwise. See followUp and refundGiftCards for what they commit. input.amount: minor units, 1 to what is refundable, left out for all of it; never cut down to what fits.
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
  const { target, redemptionId, ...asked } = checked.value;
  if (target === 'payment_method') {
    const whole = { final: true, idempotencyKey };
    return followUp(app, viewer, { kind: 'refund', transactionId, ...whole, ...asked });
  }
  return refundGiftCards(app, viewer, {
    ...{ transactionId, idempotencyKey, ...asked },
    target: redemptionId === null ? { kind: 'all' } : { kind: 'redemption', redemptionId },
  });
}
