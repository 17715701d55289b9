import { describe, expect, it } from '@jest/globals';
import { connectors } from '../../../src/connectors/index.ts';
import { CARD } from '../../transactions/harness.ts';
import { startCheckout } from '../checkout/start.ts';
import { openShop } from '../kit/shop.ts';
import { startMollie } from '../mollie/start.ts';

// Providers without accounts for shares. Routing refuses the payment before any request.

const shops = {
  'checkout-card': await openShop((now) => startCheckout({ now })),
  'mollie-card': await openShop((now) => startMollie({ now }, 'mollie-card')),
};

const RETURNS = { redirectUrl: 'https://shop.example/back' };
const PAGE = { ...RETURNS, paymentMethod: { redirect: { method: 'card' } } };
const PAYMENTS = { 'checkout-card': { paymentMethod: { card: CARD } }, 'mollie-card': PAGE };
const SPLITS = [
  { kind: 'RECIPIENT', account: 'seller', amount: 1169 },
  { kind: 'PLATFORM_FEE', amount: 130 },
];

it('splits are a feature of few definitions', () => {
  const sharing = connectors
    .flatMap(({ definitions }) => definitions)
    .flatMap(({ id, supportedFeatures: { splits } }) => (splits ? [id] : []));
  expect(sharing).toEqual([
    ...['mock-card', 'mockds-card', 'mock-acquirer'],
    ...['stripe-card', 'adyen-card', 'paypal-paypal'],
  ]);
});

describe.each(['checkout-card', 'mollie-card'] as const)('splits at %s', (definition) => {
  const { harness, service, double } = shops[definition];
  const pay = (input: object) =>
    harness.create({
      ...{ amount: 1299, currency: 'EUR', country: 'US', intent: 'CAPTURE', paymentServiceId: service.id },
      ...PAYMENTS[definition],
      ...input,
    });

  it('are refused before any request, with the reason', async () => {
    const before = double.requests.length;
    const { transaction, userErrors } = await pay({ splits: SPLITS });
    expect(transaction).toBeNull();
    expect(userErrors).toMatchObject([
      {
        code: 'NO_PAYMENT_SERVICE',
        message: expect.stringContaining('(feature splits). Leave splits out.'),
      },
    ]);
    expect(double.requests.length).toBe(before);
  });

  it('are all that is refused', async () => {
    const before = double.requests.length;
    expect((await pay({})).userErrors).toEqual([]);
    expect(double.requests.length).toBeGreaterThan(before);
  });
});
