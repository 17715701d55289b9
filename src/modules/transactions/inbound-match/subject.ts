import type { App } from '../../../app.ts';
import { callPaymentOf } from '../../../connectors/calls/call-books.ts';
import { findConnectionRows, openCall } from '../../payment-services/index.ts';
import type { InboundWebhook } from '../notices/webhook.ts';
import { findMatch, type Found } from './match.sql.ts';

/**
 * Finds the operations that a notice may be about. A refund may name its capture alone, which is in no row here. Its provider is
 * then asked for the payment of the capture. Without an answer, nothing is found, and the webhook waits.
 */
export async function findSubject(app: App, webhook: InboundWebhook): Promise<readonly Found[]> {
  const now = app.clock.now();
  const found = await findMatch(app.db, webhook, now);
  const { key, paymentReference, captureReference = null } = webhook.notice;
  if (found.length > 0 || key !== null || paymentReference !== null || captureReference === null)
    return found;
  const payment = await paymentOf(app, webhook, captureReference);
  if (payment === null) return found;
  return findMatch(app.db, { ...webhook, notice: { ...webhook.notice, paymentReference: payment } }, now);
}

/** Asks the provider for the payment of a capture. Moves no money. Null without an answer, or if the provider has no such call. */
async function paymentOf(
  app: App,
  { merchantAccountId, paymentServiceId }: InboundWebhook,
  captureReference: string,
): Promise<string | null> {
  const [row] = await findConnectionRows(app, merchantAccountId, [paymentServiceId]);
  if (!row) return null;
  const { connector, context } = await openCall(app, merchantAccountId, row);
  if (!('paymentOf' in connector)) return null;
  const answer = await callPaymentOf(connector, context, app.log, { captureReference });
  return answer?.kind === 'found' ? answer.reference : null;
}
