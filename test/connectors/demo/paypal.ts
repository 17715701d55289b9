import { paypal } from '../../../src/connectors/paypal/index.ts';
import { createPayPalDouble } from '../paypal/double.ts';
import { trusting } from '../paypal/stand.ts';
import type { DemoProvider } from './demo-provider.ts';

/** PayPal, whose buyer approves each payment on PayPal's page. */
export const paypalDemo: DemoProvider = {
  name: 'PayPal',
  definitionId: 'paypal-paypal',
  currency: 'USD',
  variables: { client_id: 'PAYPAL_CLIENT_ID', client_secret: 'PAYPAL_CLIENT_SECRET' },
  // An id does not say to which environment it belongs. The sandbox refuses the credentials of a live app.
  refuse: () => null,
  connector: paypal,
  paying: {},
  declined: null,
  openDouble: async () => {
    const double = createPayPalDouble();
    const server = await double.listen();
    const { certificate, clientId, clientSecret, webhookId } = double;
    return {
      connector: trusting(certificate.root(), { sandbox: server.url, production: server.url }),
      credentials: { client_id: clientId, client_secret: clientSecret, webhook_id: webhookId },
      webhooks: () => double.webhooks().map((webhook) => ({ ...webhook, material: certificate.chain() })),
      approve: (key) => {
        const order = double.books().payments.find(({ customId }) => customId === key);
        const back = double.hands.decide(order?.id ?? '', 'approve');
        return Object.fromEntries(new URL(back ?? '').searchParams);
      },
      close: () => server.close(),
    };
  },
};
