import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { continuePayment } from './approve.ts';
import { leaseOf } from '../../payment-services/index.ts';
import { findApproval, type Approval } from './store/approval.sql.ts';
import { recordCompletion } from './store/session.sql.ts';
import { sealReturned, type Returned } from '../awaiting/returned.ts';
import { digestOf, isSameToken, tokenFor } from '../awaiting/session-token.ts';

/**
 * Completes a payment whose buyer has approved in the merchant's client. Commits the completion once, then lets the
 * provider carry it out. After a crash between, reconciliation continues. Does nothing before the approval, after the
 * time, or during a cancel. A repeat without a known answer asks the provider again, under the same key. Returns the
 * current approval. Null when the token completes nothing.
 *
 * `results`: those of the provider's software in the client, for the provider alone. The provider may ask the client for a further
 * step. The approval is then `approved` and not `completed`, and the next completion counts.
 */
export async function completeTransaction(
  app: App,
  token: string,
  results: Returned | null = null,
): Promise<Approval | null> {
  const digest = digestOf(token);
  const now = app.clock.now();
  const found = await findApproval(app.db, 'completion', digest, now);
  if (!found || !(await isOwn(app, found, token))) return null;
  const nextAttemptAt = leaseOf(app, now);
  const owner = { merchantAccountId: found.merchantAccountId, id: found.operationId };
  const sealed = results && (await sealReturned(app, owner, results));
  await recordCompletion(app.db, digest, { sealed, now, nextAttemptAt });
  await failpoint('approval.completing');
  const approval = await findApproval(app.db, 'completion', digest, app.clock.now());
  if (!approval?.completed || approval.transaction.status !== 'buyer_approval_pending') return approval;
  await continuePayment(app, approval);
  return findApproval(app.db, 'completion', digest, app.clock.now());
}

async function isOwn(app: App, { merchantAccountId, operationId: id }: Approval, token: string) {
  return isSameToken(token, await tokenFor(app, 'completion', { merchantAccountId, id }));
}
