import { createAdyen } from '../../../src/connectors/adyen/index.ts';
import { createAdyenDouble, CREDENTIALS, type AdyenDoubleOptions } from './double.ts';

/** Starts a double of Adyen over HTTP, with a connector that calls the double. */
export async function startAdyen(options: AdyenDoubleOptions = {}) {
  const double = createAdyenDouble(options);
  const { url, close } = await double.listen();
  return {
    ...{ double, close, connector: adyenAt(() => url), definition: 'adyen-card' },
    fields: { ...CREDENTIALS, raw_card_data: 'true' },
  };
}

/** Returns the connector of Adyen with a double in the place of the hosts. Each call asks for the address. */
export const adyenAt = (address: () => string) =>
  createAdyen({
    hosts: () => ({
      checkout: `${address()}/v71`,
      disputes: `${address()}/ca/services/DisputeService/v30`,
      reports: `${address()}/reports/download/MerchantAccount`,
    }),
  });
