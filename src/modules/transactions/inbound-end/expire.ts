import type { App } from '../../../app.ts';
import { endWebhook } from './inbound.sql.ts';
import type { StoredWebhook } from '../notices/webhook.ts';

/** Ends a webhook that found no payment in its time. Commits once. */
export async function expire(app: App, webhook: StoredWebhook, now: Date): Promise<void> {
  await endWebhook(app.db, webhook, { state: 'expired', now, history: null });
  const { merchantAccountId, paymentServiceId } = webhook;
  app.log.info({ merchantAccountId, paymentServiceId }, 'A webhook was about nothing that is known here.');
}
