import type { App } from '../../app.ts';
import { connectionOf, type Connection } from './connection.ts';
import { findProvider } from './definitions.ts';
import { findStoredByWebhookToken } from './store.ts';

/** The payment service that a webhook is for, opened to read it. The credentials are in clear. */
export type WebhookReceiver = {
  readonly merchantAccountId: string;
  readonly paymentServiceId: string;
  readonly connection: Connection;
};

/**
 * The payment service at whose webhook address somebody has called, also a deleted one, whose operations still end. Null
 * when there is none, or its connector takes no webhooks: the two get the same answer.
 */
export async function findWebhookReceiver(app: App, token: string): Promise<WebhookReceiver | null> {
  // What no token looks like must not reach the database, which does not take every character.
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
