import type { App } from '../../../app.ts';
import type { StoredMethodNotice } from '../../../connectors/notices/stored-methods.ts';
import { recordMethodReport, type ReportResult } from '../../payment-methods/index.ts';
import { isOver } from '../notices/schedule.ts';
import { openToken } from '../notices/sealed-token.ts';
import type { InboundWebhook } from '../notices/webhook.ts';
import { awaitMatch } from '../inbound-end/await-match.ts';
import { expire } from '../inbound-end/expire.ts';
import { endWebhook } from '../inbound-end/inbound.sql.ts';

/**
 * Applies a provider's report of a stored payment method, and ends the webhook. Commits the change, then the end of the
 * webhook. After a crash between, the next run finds the change and ends the webhook as one without a change.
 *
 * - A report of an unknown token waits a day, because the payment that stores the token may still be open.
 * - A report without its card waits for the provider's answer, seven days at most.
 */
export async function applyStoredMethod(
  app: App,
  webhook: InboundWebhook<StoredMethodNotice>,
): Promise<void> {
  const result = await record(app, webhook);
  const now = app.clock.now();
  if (result === 'changed' || result === 'unchanged') {
    const state = result === 'changed' ? 'applied' : 'ignored';
    await endWebhook(app.db, webhook, { state, now, history: null });
    return;
  }
  const waitedMs = now.getTime() - webhook.waitsSince.getTime();
  const isLate = result === 'unknown' ? waitedMs >= UNKNOWN_MS : isOver(now, webhook.waitsSince);
  if (!isLate) return awaitMatch(app, webhook, now);
  if (result === 'unanswered') {
    const { merchantAccountId, paymentServiceId } = webhook;
    app.log.warn(
      { merchantAccountId, paymentServiceId },
      'A stored card changed at its provider, which did not tell the card.',
    );
  }
  return expire(app, webhook, now);
}

/** Payments end within hours. Other systems may store methods at the same provider, and their tokens stay unknown. */
const UNKNOWN_MS = 24 * 3_600_000;

async function record(app: App, webhook: InboundWebhook<StoredMethodNotice>): Promise<ReportResult> {
  const { merchantAccountId, paymentServiceId, receivedAt, notice } = webhook;
  const token = await openToken(app, webhook);
  if (token === null) return 'unknown';
  const { occurredAt, storedMethod } = notice;
  // A provider's clock that is ahead must not outdate later reports.
  const at = occurredAt !== null && occurredAt < receivedAt ? occurredAt : receivedAt;
  const place = { merchantAccountId, paymentServiceId };
  return recordMethodReport(app, place, { token, at, change: storedMethod.change });
}
