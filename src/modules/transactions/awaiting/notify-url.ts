import type { App } from '../../../app.ts';
import { webhookUrlOf, type ConnectionRow } from '../../payment-services/index.ts';

/**
 * Returns our address for the provider's webhooks about a payment. The same at each call, so that a repeat of the authorisation is
 * the same request. Null without `PAYGRAPH_PUBLIC_URL`: the address of this process is then none that a provider reaches.
 */
export const notifyUrlOf = (
  app: Pick<App, 'config' | 'publicUrl'>,
  connection: Pick<ConnectionRow, 'webhookToken'>,
): string | null => (app.config.PAYGRAPH_PUBLIC_URL === undefined ? null : webhookUrlOf(app, connection));
