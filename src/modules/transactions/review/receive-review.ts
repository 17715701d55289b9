import { environmentOf } from '../../../platform/process/config.ts';
import { readReviewWebhook } from '../../../connectors/anti-fraud/read-webhook.ts';
import type { DeliveredWebhook, WebhookRefusal } from '../../../connectors/notices/webhook.ts';
import type { App } from '../../../app.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { findReviewReceiver, type ReviewReceiver } from '../../payment-services/index.ts';
import { countVerdict } from '../notices/verdict-counter.ts';
import { applyLeaseUntil } from '../notices/schedule.ts';
import { insertReview } from './inbound-reviews.sql.ts';
import type { InboundReview } from './inbound-review.ts';

/**
 * Verifies a third party's webhook about reviews over its bytes and stores each of its events once. Returns the new events for
 * `applyReceivedReviews`. Commits once for each event. After a crash or a throw, the loop applies the stored events and the
 * sender's retry brings the rest. Refuses an unknown address. `unserved`: this process lacks the connector.
 */
export async function receiveReview(
  app: App,
  { token, headers, rawBody }: DeliveredWebhook,
): Promise<Result<readonly InboundReview[], 'not_found' | 'unserved' | WebhookRefusal>> {
  const receiver = await findReviewReceiver(app, token);
  if (!receiver) return refuse('not_found');
  if (receiver === 'unserved') return refuse('unserved');
  const receiving = receiveFor(app, receiver, { headers, rawBody });
  return countVerdict(app, receiver.connector.id, receiving, (stored) =>
    stored.length > 0 ? 'stored' : 'nothing_new',
  );
}

async function receiveFor(
  app: App,
  receiver: ReviewReceiver,
  { headers, rawBody }: Omit<DeliveredWebhook, 'token'>,
): Promise<Result<readonly InboundReview[], WebhookRefusal>> {
  const { merchantAccountId, antiFraudServiceId, connector, definition, credentials } = receiver;
  const receivedAt = app.clock.now();
  const environment = environmentOf(app.config);
  const request = { headers, rawBody, credentials, definition, environment, now: receivedAt } as const;
  const read = readReviewWebhook(connector, request, app.log);
  if (!read.ok) {
    const about = { merchantAccountId, antiFraudServiceId, refusal: read.refusals[0] };
    app.log.warn(about, 'A webhook was refused.');
    return read;
  }
  // A review may wait for an unread decision, and the sender would take our answer for an acceptance.
  if (read.value.length === 0)
    app.log.warn({ merchantAccountId, antiFraudServiceId }, 'A webhook names no known review.');
  const stored: InboundReview[] = [];
  for (const notice of read.value) {
    const leaseUntil = applyLeaseUntil(receivedAt);
    const about = { merchantAccountId, id: app.ids.uuid(), antiFraudServiceId };
    const review = { ...about, notice, receivedAt, leaseUntil };
    if (await insertReview(app.db, review)) stored.push(review);
  }
  await failpoint('inbound-review.stored');
  return ok(stored);
}
