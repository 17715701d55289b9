import type { App } from '../../../app.ts';
import type { DisputeNotice } from '../../../connectors/notices/disputes.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { recordDispute } from '../../disputes/index.ts';
import { makeOperationsDue } from '../claim/leases.sql.ts';
import { isOver } from '../notices/schedule.ts';
import { findDisputed } from '../inbound-match/dispute.sql.ts';
import { awaitMatch } from '../inbound-end/await-match.ts';
import { end } from '../inbound-end/end.ts';
import { expire } from '../inbound-end/expire.ts';
import type { InboundWebhook } from '../notices/webhook.ts';

/**
 * Records a provider's report of a dispute at the disputed payment, and ends the webhook. Commits the record, then the end
 * of the webhook. After a crash between, the next run finds the record and ends the webhook. A report whose payment is
 * unknown waits, seven days at most. A loss of a payment without an outcome waits for the outcome.
 */
export async function applyDispute(app: App, webhook: InboundWebhook<DisputeNotice>): Promise<void> {
  const { notice, receivedAt, waitsSince, merchantAccountId, paymentServiceId } = webhook;
  const now = app.clock.now();
  const isLate = isOver(now, waitsSince);
  const found = await findDisputed(app.db, webhook);
  await failpoint('inbound.matched');
  // References that match several payments match none.
  const [first] = found;
  if (!first || found.some(({ transaction: { id } }) => id !== first.transaction.id))
    return isLate ? expire(app, webhook, now) : awaitMatch(app, webhook, now);
  const { transaction } = first;
  const operationId = found.find(({ named }) => named !== null)?.named ?? first.authorization;
  const subject = { merchantAccountId, paymentServiceId, transactionId: transaction.id, operationId };
  const reported = { ...notice.dispute, at: notice.occurredAt ?? receivedAt };
  const recorded = await recordDispute(app, subject, reported);
  if (recorded.kind === 'decided') return end(app, webhook, { transaction, ...recorded });
  if (isLate) return end(app, webhook, { transaction, finding: 'undecided', isOver: true });
  await makeOperationsDue(app.db, transaction, 'capture', now);
  return awaitMatch(app, webhook, now);
}
