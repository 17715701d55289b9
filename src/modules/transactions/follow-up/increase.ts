import type { App, Viewer } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { followUp } from './follow-up.ts';
import type { Answer } from '../claim/replay.ts';
import { increaseInput } from '../input/inputs.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';

/**
 * Adds money to an authorisation that is not captured yet. `followUp` says what an increase commits. The payment
 * method pays the added part, and gift cards keep theirs. The payment's `amount` stays, and `authorizedAmount` grows.
 * - `input.amount`: the part to add, in minor units. From 1 to the rest up to 99 999 999.
 * - The part can be captured after the provider's yes. Meanwhile captures of the confirmed amount go on, and no void or
 *   other change starts.
 * - A decline leaves the payment as it was.
 */
export async function increaseAuthorization(
  app: App,
  viewer: Viewer,
  transactionId: string,
  input: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answer, FollowUpRefusal>> {
  const checked = parseInput(increaseInput, input);
  if (!checked.ok) return checked;
  const nothing = { final: true, force: false, reason: null };
  return followUp(app, viewer, {
    kind: 'increase',
    transactionId,
    idempotencyKey,
    ...nothing,
    ...checked.value,
  });
}
