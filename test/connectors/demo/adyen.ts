import { adyen, createAdyen } from '../../../src/connectors/adyen/index.ts';
import { createAdyenDouble, TEST_ACCOUNT, TEST_HMAC_KEY } from '../adyen/double.ts';
import type { DemoProvider } from './demo-provider.ts';

const CARD = { number: '4111111111111111', expirationDate: '03/30', securityCode: '737' };

/** A name of a holder by which Adyen's test environment refuses a card. */
const REFUSED = {
  ...{ reference: null, firstName: 'DECLINED', lastName: null, email: null, phone: null },
  ...{ billingAddress: null, shipping: null },
};

/** Adyen with a test card in clear, for which the API user needs a role. */
export const adyenDemo: DemoProvider = {
  name: 'Adyen',
  definitionId: 'adyen-card',
  currency: 'EUR',
  variables: { api_key: 'ADYEN_API_KEY', merchant_account: 'ADYEN_MERCHANT_ACCOUNT' },
  // A key of Adyen does not say to which environment it belongs. The test environment refuses a live key.
  refuse: () => null,
  connector: adyen,
  fixed: { raw_card_data: 'true' },
  paying: { card: CARD },
  declined: { card: CARD, buyer: REFUSED },
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
      credentials: {
        api_key: TEST_ACCOUNT.apiKey,
        merchant_account: TEST_ACCOUNT.merchantAccount,
        hmac_key: TEST_HMAC_KEY,
      },
      webhooks: () => double.webhooks(),
      approve: (key) => double.comeBack(key, 'approve'),
      close: () => server.close(),
    };
  },
};
