import type { App, Viewer } from '../../app.ts';
import type { Result } from '../../kernel/result.ts';
import { parseInput } from '../../platform/validate.ts';
import { followUp, type Answer } from './follow-up.ts';
import { captureInput } from './input.ts';
import type { FollowUpRefusal } from './refusals.ts';

/**
 * Captures part or all of an authorised transaction; what is not captured is released. See followUp for what it commits.
 * input.amount: minor units, 1 to what is capturable, left out for all of it; never cut down to what fits.
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
    ...checked.value,
  });
}
