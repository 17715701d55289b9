import type { App } from '../../../app.ts';
import type { Notice } from '../../../connectors/notices/webhook.ts';
import { sealReturned } from '../awaiting/returned.ts';
import { recordApproval } from '../buyer-approval/store/return.sql.ts';
import { makeOperationsDue } from '../claim/leases.sql.ts';
import type { Operated } from '../model/operation.ts';
import { awaitMatch } from '../inbound-end/await-match.ts';
import { end } from '../inbound-end/end.ts';
import type { InboundWebhook } from '../notices/webhook.ts';

/** True for the report that the buyer has approved at the provider, and the payment must be continued. */
export const isApproval = ({ outcome }: Notice): boolean =>
  outcome.kind === 'accepted' && outcome.approved === true;

/**
 * Continues a payment whose buyer has approved at the provider, even if the buyer never comes back. Commits the approval as a
 * return without parameters, so that only the first of the two counts. Reconciliation then continues the payment at once.
 *
 * - The client of a session completes the payment itself, so nothing changes.
 * - A late approval and an approval during a cancel change nothing.
 * - An authorisation without an answer is asked about first.
 */
export async function applyApproval(app: App, webhook: InboundWebhook, operated: Operated): Promise<void> {
  const { operation, transaction } = operated;
  const now = app.clock.now();
  if (operation.acceptedAt === null) {
    await makeOperationsDue(app.db, transaction, 'authorize', now);
    return awaitMatch(app, webhook, now);
  }
  const sealed = await sealReturned(app, operation, {});
  const changed = await recordApproval(app.db, operation, { sealed, now });
  return end(app, webhook, { ...operated, changed, finding: null });
}
