import type { App, Viewer } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import { followUp } from './follow-up.ts';
import type { Answer } from '../claim/replay.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';

/**
 * Ends a payment before its authorisation. The payment then has failed with the code `canceled`. Refuses
 * when the payment service cannot cancel. A cancel that the provider refuses changes nothing. `followUp` says what a
 * cancel commits.
 */
export async function cancelTransaction(
  app: App,
  viewer: Viewer,
  transactionId: string,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answer, FollowUpRefusal>> {
  const nothing = { amount: null, final: true, force: false, externalIdentifier: null, reason: null };
  return followUp(app, viewer, { kind: 'cancel', transactionId, idempotencyKey, ...nothing });
}
