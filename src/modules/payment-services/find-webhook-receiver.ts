import type { App } from '../../app.ts';
import { connectionOf, type Connection } from './connection.ts';
import { findProvider } from './definitions.ts';
import { findStoredByWebhookToken } from './store.ts';

/** The payment service that a webhook is for, with its credentials in clear. */
export type WebhookReceiver = {
  readonly merchantAccountId: string;
  readonly paymentServiceId: string;
  readonly connection: Connection;
};

/**
 * Finds the payment service of a webhook address. Includes deleted services, because their operations still end. Null
 * when there is no such service or its connector takes no webhooks: callers get the same answer for both.
 */
export async function findWebhookReceiver(app: App, token: string): Promise<WebhookReceiver | null> {
  // Keep other texts from the database, which does not take every character.
  if (!/^[\w-]+$/.test(token)) return null;
  const stored = await findStoredByWebhookToken(app.db, token);
  if (!stored || !findProvider(app, stored.definitionId)?.connector.webhooks) return null;
  const { merchantAccountId, id } = stored;
  return {
    merchantAccountId,
    paymentServiceId: id,
    connection: await connectionOf(app, merchantAccountId, stored),
  };
}
