import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { applyDueReviews } from '../review/apply-review.ts';
import { claimParked } from './inbound.sql.ts';
import { applierOf } from './applier.ts';
import { applyWebhook } from './apply.ts';

/** How often it looks for what is due when there was nothing more to do. */
const IDLE_MS = 1_000;

/**
 * Starts matching parked webhooks again, of payments and of reviews, when what they wait for is known or their time has come.
 * Any number of processes may run it.
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

/** Of what payments' providers have told. */
export const { applyDue: applyDueWebhooks, applyReceived } = applierOf({
  claim: claimParked,
  apply: applyWebhook,
  about: ({ id: webhookId }) => ({ webhookId }),
  failed: 'A webhook could not be applied; it is tried again.',
});
