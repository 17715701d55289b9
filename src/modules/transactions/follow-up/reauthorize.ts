import type { App, Viewer } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import { followUp } from './follow-up.ts';
import type { Answer } from '../claim/replay.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';

/**
 * Renews an authorisation that nears its end, for the whole authorised amount. The amount and the provider's id of the
 * payment stay. `followUp` says what a re-authorisation commits. Until its end, no capture, void or increase starts. A
 * decline leaves the payment as it was.
 */
export async function reauthorizeTransaction(
  app: App,
  viewer: Viewer,
  transactionId: string,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answer, FollowUpRefusal>> {
  const nothing = { amount: null, final: true, force: false, externalIdentifier: null, reason: null };
  return followUp(app, viewer, { kind: 'reauthorize', transactionId, idempotencyKey, ...nothing });
}
