import type { App } from '../../../app.ts';
import { storeRecurringToken } from '../../payment-methods/index.ts';
import type { Operated } from '../model/operation.ts';
import { openToken } from '../notices/sealed-token.ts';
import type { InboundWebhook } from '../notices/webhook.ts';

/**
 * Stores the token of a webhook for the payment method that the authorisation stored. False without a token, or for a
 * known token. Commits once.
 */
export async function storeToken(
  app: App,
  webhook: InboundWebhook,
  { operation, transaction }: Operated,
): Promise<boolean> {
  const { merchantAccountId, paymentMethodId, store } = transaction;
  if (paymentMethodId === null || !store) return false;
  if (operation.kind !== 'authorize' || operation.status !== 'succeeded') return false;
  const token = await openToken(app, webhook);
  if (token === null) return false;
  const { paymentServiceId } = operation;
  const stored = await storeRecurringToken(
    app,
    { merchantAccountId, paymentMethodId, paymentServiceId },
    token,
  );
  if (stored) app.wakeRelay();
  return stored;
}
