import type { App, Viewer } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import { parseInput } from '../../../platform/validate.ts';
import { followUp } from './follow-up.ts';
import type { Answer } from '../engine/replay.ts';
import { captureInput } from '../input/inputs.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';

/**
 * Captures part or all of an authorised transaction. See followUp for what it commits. input.amount: minor units, 1 to what
 * is capturable, left out for all of it; never cut down to what fits; above what is authorised only as far as the merchant
 * account allows. input.final (the default): what is not captured is released; false keeps it for further captures, where
 * the payment service can do several.
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
