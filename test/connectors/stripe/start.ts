import { createStripe } from '../../../src/connectors/stripe/index.ts';
import { createStripeDouble, type StripeDoubleSettings } from './double.ts';

/** Starts a double of Stripe over HTTP, with a connector that calls the double. */
export async function startStripe(settings: StripeDoubleSettings = {}) {
  const double = createStripeDouble(settings);
  const { url, close } = await double.listen();
  return {
    ...{ double, close, connector: createStripe({ api: url, files: url }), definition: 'stripe-card' },
    fields: {
      ...{ secret_key: double.secretKey, webhook_secret: double.webhookSecret, raw_card_data: 'true' },
    },
  };
}
