import type { App } from '../../../app.ts';
import { startLoop, type Loop } from '../../../platform/loop.ts';
import { applyDueReviews } from '../review/apply-review.ts';
import { claimParked } from '../inbound-end/inbound.sql.ts';
import { applierOf } from '../notices/applier.ts';
import { operationNameOf } from '../notices/names.ts';
import { applyWebhook } from './apply.ts';

/** The pause between two rounds of an idle loop. */
const IDLE_MS = 1_000;

/**
 * Starts the loop that matches parked webhooks of payments and reviews again when they are due. Any number of processes may run
 * the loop.
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

/** The applier of webhooks from payment providers. */
export const { applyDue: applyDueWebhooks, applyReceived } = applierOf({
  claim: claimParked,
  apply: applyWebhook,
  subject: operationNameOf,
  about: ({ id: webhookId }) => ({ webhookId }),
  failed: 'A webhook could not be applied; it is tried again.',
});
