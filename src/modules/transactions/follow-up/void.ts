import type { App, Viewer } from '../../../app.ts';
import type { Result } from '../../../kernel/result.ts';
import { followUp } from './follow-up.ts';
import type { Answer } from '../claim/replay.ts';
import type { FollowUpRefusal } from '../model/refusals.ts';

/** Releases an authorised transaction without any capture. `followUp` says what a void commits. */
export async function voidTransaction(
  app: App,
  viewer: Viewer,
  transactionId: string,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answer, FollowUpRefusal>> {
  const nothing = { amount: null, final: true, force: false, externalIdentifier: null, reason: null };
  return followUp(app, viewer, { kind: 'void', transactionId, idempotencyKey, ...nothing });
}
