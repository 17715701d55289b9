import { adyen, createAdyen } from '../../../src/connectors/adyen/index.ts';
import { createAdyenDouble, TEST_ACCOUNT, TEST_HMAC_KEY } from '../adyen/double.ts';
import type { DemoProvider } from './demo-provider.ts';

/** A card as Adyen's software in a page sends it, in the encrypted fields of the test environment. */
const cardOf = (holder: object): string =>
  JSON.stringify({
    ...{ type: 'scheme', encryptedCardNumber: 'test_4111111111111111', encryptedSecurityCode: 'test_737' },
    ...{ encryptedExpiryMonth: 'test_03', encryptedExpiryYear: 'test_2030', ...holder },
  });

/** Adyen with an encrypted test card, for which the API user needs no role for card numbers. */
export const adyenDemo: DemoProvider = {
  name: 'Adyen',
  definitionId: 'adyen-card',
  currency: 'EUR',
  variables: { api_key: 'ADYEN_API_KEY', merchant_account: 'ADYEN_MERCHANT_ACCOUNT' },
  // A key of Adyen does not say to which environment it belongs. The test environment refuses a live key.
  refuse: () => null,
  connector: adyen,
  // No webhook of the test environment arrives, and the check of the credentials asks for a key all the same.
  fixed: { hmac_key: TEST_HMAC_KEY },
  paying: { token: cardOf({}) },
  // The test environment refuses a card by this name of its holder.
  declined: { token: cardOf({ holderName: 'DECLINED' }) },
  openDouble: async () => {
    const double = createAdyenDouble();
    const server = await double.listen();
    const { url } = server;
    const hosts = {
      checkout: `${url}/v71`,
      disputes: `${url}/ca/services/DisputeService/v30`,
      reports: `${url}/reports/download/MerchantAccount`,
    };
    return {
      connector: createAdyen({ hosts: () => hosts }),
      credentials: { api_key: TEST_ACCOUNT.apiKey, merchant_account: TEST_ACCOUNT.merchantAccount },
      webhooks: () => double.webhooks(),
      approve: (key) => double.comeBack(key, 'approve'),
      close: () => server.close(),
    };
  },
};
