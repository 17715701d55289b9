import { createStripe, stripe } from '../../../src/connectors/stripe/index.ts';
import { createStripeDouble } from '../stripe/double.ts';
import type { DemoProvider } from './demo-provider.ts';

/** Stripe with its names of test cards, which need no permission for card numbers. */
export const stripeDemo: DemoProvider = {
  name: 'Stripe',
  definitionId: 'stripe-card',
  currency: 'USD',
  variables: { secret_key: 'STRIPE_SECRET_KEY' },
  refuse: ({ secret_key: key = '' }) =>
    /^(sk|rk)_test_/.test(key)
      ? null
      : 'STRIPE_SECRET_KEY is not a key of test mode. A key of test mode begins with sk_test_ or rk_test_.',
  connector: stripe,
  paying: { token: 'pm_card_visa' },
  declined: { token: 'pm_card_visa_chargeDeclined' },
  openDouble: async () => {
    const double = createStripeDouble();
    const server = await double.listen();
    const { url } = server;
    return {
      connector: createStripe({ api: url, files: url }),
      credentials: { secret_key: double.secretKey, webhook_secret: double.webhookSecret },
      webhooks: () => double.webhooks(),
      approve: () => ({}),
      close: () => server.close(),
    };
  },
};
