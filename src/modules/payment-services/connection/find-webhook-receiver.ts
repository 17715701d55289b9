import type { App } from '../../../app.ts';
import { assignWork } from '../../../platform/fairness/owner.ts';
import { connectionOf, type Connection } from './connection.ts';
import { findProvider } from '../model/definitions.ts';
import type { StoredPaymentService } from '../model/payment-service.ts';
import { findStoredByIds, findStoredByWebhookToken } from '../store.ts';

/** The payment service that a webhook is for, with its credentials in clear. */
export type WebhookReceiver = {
  readonly merchantAccountId: string;
  readonly paymentServiceId: string;
  readonly connection: Connection;
};

/**
 * Finds the payment service of a webhook address. Includes deleted services, because their operations still end.
 *
 * - Null: no such service, or its connector takes no webhooks. Callers get the same answer for both.
 * - `unserved`: this process lacks the connector, for example because its package was removed.
 */
export async function findWebhookReceiver(
  app: App,
  token: string,
): Promise<WebhookReceiver | 'unserved' | null> {
  // Keep other texts from the database, which does not take every character.
  if (!/^[\w-]+$/.test(token)) return null;
  const stored = await findStoredByWebhookToken(app.db, token);
  return stored && !findProvider(app, stored.definitionId) ? 'unserved' : receiverOf(app, stored);
}

/**
 * Finds a payment service that receives webhooks. Includes deleted services. Null when the merchant account has no such service
 * or its connector takes no webhooks. The id must be a UUID.
 */
export async function findServiceReceiver(
  app: App,
  merchantAccountId: string,
  id: string,
): Promise<WebhookReceiver | null> {
  const [stored = null] = await findStoredByIds(app.db, merchantAccountId, [id]);
  return receiverOf(app, stored);
}

async function receiverOf(app: App, stored: StoredPaymentService | null): Promise<WebhookReceiver | null> {
  if (!stored || !findProvider(app, stored.definitionId)?.connector.webhooks) return null;
  const { merchantAccountId, id } = stored;
  assignWork(merchantAccountId);
  return {
    merchantAccountId,
    paymentServiceId: id,
    connection: await connectionOf(app, merchantAccountId, stored),
  };
}
