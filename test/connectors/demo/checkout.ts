import { checkout, createCheckout } from '../../../src/connectors/checkout/index.ts';
import { credentialsOf } from '../checkout/contract-double.ts';
import { createCheckoutDouble } from '../checkout/double.ts';
import type { DemoProvider } from './demo-provider.ts';

const cardOf = (number: string) => ({ number, expirationDate: '03/30', securityCode: '100' });

/** Checkout.com with a card in clear, which the test account must allow. */
export const checkoutDemo: DemoProvider = {
  name: 'Checkout.com',
  definitionId: 'checkout-card',
  currency: 'EUR',
  variables: { secret_key: 'CHECKOUT_SECRET_KEY', processing_channel_id: 'CHECKOUT_PROCESSING_CHANNEL_ID' },
  refuse: ({ secret_key: key = '' }) =>
    key.startsWith('sk_sbox_') ? null : 'CHECKOUT_SECRET_KEY is not a key of the sandbox.',
  connector: checkout,
  // No webhook of the sandbox arrives, and the check of the credentials asks for a key all the same.
  fixed: { raw_card_data: 'true', signature_key: 'signature-key-of-the-demo' },
  // Nobody comes to the page for 3-D Secure.
  paying: { card: cardOf('4242424242424242'), authentication: 'never' },
  declined: { card: cardOf('4000000000009995'), authentication: 'never' },
  openDouble: async () => {
    const double = createCheckoutDouble({ decidesByItself: true, searchLagMs: 0 });
    const server = await double.listen();
    return {
      connector: createCheckout(() => server.url),
      credentials: credentialsOf(double),
      webhooks: () => double.webhooks(),
      approve: (key) => {
        const payment = double.books().find((each) => each.key === key);
        const back = double.hands.decide(payment?.id ?? '', 'approve');
        return Object.fromEntries(new URL(back ?? '').searchParams);
      },
      close: () => server.close(),
    };
  },
};
