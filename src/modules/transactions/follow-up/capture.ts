import type { App, Viewer } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { followUp } from './follow-up.ts';
import type { Answer } from '../claim/replay.ts';
import { captureInput } from '../input/inputs.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';

/**
 * Captures part or all of an authorised transaction. `followUp` says what a capture commits.
 * - `input.amount`: minor units, from 1 to the capturable amount, never reduced to fit. Left out, it is the whole
 *   capturable amount. The merchant account may allow more than the authorised amount.
 * - `input.final`: true by default, which releases the rest. False keeps the rest for further captures, where the
 *   payment service can do several.
 */
export async function captureTransaction(
  app: App,
  viewer: Viewer,
  transactionId: string,
  input: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answer, FollowUpRefusal>> {
  const checked = parseInput(captureInput, input);
  if (!checked.ok) return checked;
  return followUp(app, viewer, {
    kind: 'capture',
    transactionId,
    idempotencyKey,
    reason: null,
    force: false,
    ...checked.value,
  });
}
