import { createMollie } from '../../../src/connectors/mollie/index.ts';
import { createMollieDouble, type MollieDoubleSettings } from './double.ts';

export const WEBHOOK_SECRET = 'secret-of-the-signed-webhook';

/** Starts a double of Mollie over HTTP, with a connector that calls the double. */
export async function startMollie(settings: MollieDoubleSettings = {}, definition = 'mollie-ideal') {
  const double = createMollieDouble(settings);
  const { url, close } = await double.listen();
  return {
    ...{ double, url, close, connector: createMollie(() => url), definition },
    fields: { api_key: double.apiKey, webhook_secret: WEBHOOK_SECRET },
  };
}
