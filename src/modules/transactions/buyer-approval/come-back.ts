import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { continuePayment } from './approve.ts';
import { leaseOf } from '../../payment-services/index.ts';
import { findApproval, type Approval } from './store/approval.sql.ts';
import { recordReturn } from './store/return.sql.ts';
import { sealReturned, type Returned } from '../awaiting/returned.ts';
import { digestOf, isSameToken, tokenFor } from '../awaiting/session-token.ts';

/**
 * Continues a payment whose buyer comes back from the provider's page. Commits the return with its parameters once,
 * then asks the provider. After a crash between, reconciliation asks with the same parameters under the same key. Only
 * the first return in time counts, unless the provider says that the buyer has not decided. Does nothing after the
 * payment's end or during a cancel. Returns the current approval. Null when the token brings nobody back.
 */
export async function comeBack(app: App, token: string, returned: Returned): Promise<Approval | null> {
  const digest = digestOf(token);
  const now = app.clock.now();
  const found = await findReturn(app, token);
  if (!found) return null;
  if (found.state === 'pending') {
    const owner = { merchantAccountId: found.merchantAccountId, id: found.operationId };
    const sealed = await sealReturned(app, owner, returned);
    await recordReturn(app.db, digest, { sealed, now, nextAttemptAt: leaseOf(app, now) });
    await failpoint('approval.returning');
  }
  const approval = await findApproval(app.db, 'return', digest, app.clock.now());
  if (approval?.state !== 'returned' || approval.transaction.status !== 'buyer_approval_pending')
    return approval;
  await continuePayment(app, approval);
  return findApproval(app.db, 'return', digest, app.clock.now());
}

/** Finds the approval from which a token brings the buyer back, whatever its state. Null without one. */
export async function findReturn(app: App, token: string): Promise<Approval | null> {
  const found = await findApproval(app.db, 'return', digestOf(token), app.clock.now());
  if (!found) return null;
  const { merchantAccountId, operationId: id } = found;
  return isSameToken(token, await tokenFor(app, 'return', { merchantAccountId, id })) ? found : null;
}
