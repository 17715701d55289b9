import type { App } from '../../../app.ts';
import { nextMatchAt, turnUntil, whenFree } from '../notices/schedule.ts';
import { parkWebhook } from './inbound.sql.ts';
import type { StoredWebhook } from '../notices/webhook.ts';

/**
 * Parks a webhook until its next match. Each pause is as long as the wait so far, at most an hour. Later webhooks of the same
 * operation do not wait, because one of them may bring what this webhook lacks.
 */
export const awaitMatch = (app: App, webhook: StoredWebhook, now: Date): Promise<void> =>
  parkWebhook(app.db, webhook, { nextAttemptAt: nextMatchAt(now, webhook.waitsSince), turnUntil: null });

/**
 * Parks a matched webhook for a second. A process has a lease on the operation, or an older webhook goes first. Later webhooks
 * of the same operation wait behind this webhook.
 */
export const awaitTurn = (app: App, webhook: StoredWebhook, now: Date): Promise<void> =>
  parkWebhook(app.db, webhook, { nextAttemptAt: whenFree(now), turnUntil: turnUntil(now) });
