import { describe, expect, it } from '@jest/globals';
import { connectors } from '../../src/connectors/index.ts';

const receiverOf = (id: string, fields: Readonly<Record<string, string>>) =>
  connectors.find((connector) => connector.id === id)?.googlePay?.(fields);

/** The fields that each connector needs, with the parameters of its gateway. */
const GATEWAYS = [
  ['sandbox', { merchant_id: 'm-1' }, { gateway: 'example', gatewayMerchantId: 'm-1' }],
  ['checkout', { public_key: 'pk_1' }, { gateway: 'checkoutltd', gatewayMerchantId: 'pk_1' }],
  ['adyen', { merchant_account: 'ShopECOM' }, { gateway: 'adyen', gatewayMerchantId: 'ShopECOM' }],
  [
    'stripe',
    { publishable_key: 'pk_test_1' },
    { gateway: 'stripe', 'stripe:version': '2018-10-31', 'stripe:publishableKey': 'pk_test_1' },
  ],
] as const;

describe.each(GATEWAYS)('Google Pay at %s', (id, fields, gateway) => {
  it('is for the gateway that can read the token', () => {
    const given = { ...fields, google_pay_merchant_id: 'BCR2DN4T', secret_key: 'sk_test_secret' };
    expect(receiverOf(id, given)).toEqual({ merchantId: 'BCR2DN4T', gateway });
  });

  it.each([{ ...fields }, { ...fields, google_pay_merchant_id: '' }, { google_pay_merchant_id: 'BCR2DN4T' }])(
    'is off without its fields (%j)',
    (given) => expect(receiverOf(id, given)).toBeNull(),
  );
});

it('has its field wherever a connector with the parameters takes its tokens', () => {
  const definitions = connectors.flatMap((connector) =>
    connector.definitions.map((definition) => ({ connector, definition })),
  );
  for (const { connector, definition } of definitions)
    expect([
      definition.id,
      definition.fields.some(({ key, secret }) => key === 'google_pay_merchant_id' && !secret),
    ]).toEqual([definition.id, connector.googlePay !== undefined && definition.supportedFeatures.google_pay]);
});
