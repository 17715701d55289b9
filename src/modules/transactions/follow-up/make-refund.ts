import type { z } from 'zod';
import type { App } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import type { Answer } from '../claim/replay.ts';
import type { refundInput } from '../input/inputs.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';
import { followUp, type Account } from './follow-up.ts';
import type { Permit } from '../model/permit.ts';
import { refundGiftCards } from './refund-to-gift-cards.ts';

/** A refund with checked input. */
export type Refund = z.output<typeof refundInput> & {
  readonly transactionId: string;
  readonly idempotencyKey: string | null | undefined;
  /** The permission of a person. Absent for a caller without limits. */
  readonly permit?: Permit | undefined;
};

/**
 * Makes a refund to the payment method, or to another target. The functions `followUp` and `refundGiftCards` name the
 * commits. A permit that does not allow the refund refuses it, and nothing is written.
 */
export function makeRefund(
  app: App,
  account: Account,
  { target, redemptionId, ...requested }: Refund,
): Promise<Result<Answer, FollowUpRefusal>> {
  if (target === 'payment_method')
    return followUp(app, account, { kind: 'refund', final: true, ...requested });
  const { splits: _none, ...others } = requested;
  return refundGiftCards(app, account, {
    ...others,
    target: redemptionId === null ? { kind: 'all' } : { kind: 'redemption', redemptionId },
  });
}
