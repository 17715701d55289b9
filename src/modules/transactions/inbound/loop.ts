import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { applyDueReviews } from '../anti-fraud/apply-review.ts';
import { claimParked } from '../store/inbound.ts';
import { applyWebhook } from './apply.ts';
import { applyLeaseUntil, type InboundWebhook } from './webhook.ts';

/** How many webhooks one process applies at once. */
const AT_ONCE = 8;

/** How often it looks for what is due when there was nothing more to do. */
const IDLE_MS = 1_000;

/**
 * Starts matching parked webhooks again, of payments and of reviews, when what they wait for is known or their time has come. Any number of processes
 * may run it.
 */
export const startInbound = (app: App): Loop =>
  startLoop({
    name: 'inbound',
    idleMs: IDLE_MS,
    clock: app.clock,
    log: app.log,
    run: async () => {
      const [webhooks, reviews] = await Promise.all([applyDueWebhooks(app), applyDueReviews(app)]);
      return webhooks || reviews;
    },
  });

/** Takes up what is due now and waits for all of it; true when there may be more. */
export async function applyDueWebhooks(app: App): Promise<boolean> {
  const now = app.clock.now();
  const due = await claimParked(app.db, now, { leaseUntil: applyLeaseUntil(now), limit: AT_ONCE });
  await Promise.all(due.map((webhook) => applyOne(app, webhook)));
  return due.length === AT_ONCE;
}

/** Applies what was just stored, in its order; never throws. What cannot be applied now is taken up by the loop. */
export async function applyReceived(app: App, webhooks: readonly InboundWebhook[]): Promise<void> {
  for (const webhook of webhooks) await applyOne(app, webhook);
}

/** One that throws is logged and comes up again after its lease. */
async function applyOne(app: App, webhook: InboundWebhook): Promise<void> {
  try {
    await applyWebhook(app, webhook);
  } catch (error) {
    app.log.error(
      { webhookId: webhook.id, err: error },
      'A webhook could not be applied; it is tried again.',
    );
  }
}
