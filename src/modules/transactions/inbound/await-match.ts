import type { App } from '../../../app.ts';
import { nextMatchAt } from '../notices/schedule.ts';
import { parkWebhook } from './inbound.sql.ts';
import type { StoredWebhook } from '../notices/webhook.ts';

/** Parks a webhook until its next match. Each pause is as long as the wait so far, at most an hour. */
export const awaitMatch = (app: App, webhook: StoredWebhook, now: Date): Promise<void> =>
  parkWebhook(app.db, webhook, nextMatchAt(now, webhook.receivedAt));
