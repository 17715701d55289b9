import { mollie } from '../../../src/connectors/mollie/index.ts';
import { startMollie } from '../mollie/start.ts';
import type { DemoProvider } from './demo-provider.ts';

/** Mollie, whose buyer pays with a card on Mollie's page. */
export const mollieDemo: DemoProvider = {
  name: 'Mollie',
  definitionId: 'mollie-card',
  currency: 'EUR',
  variables: { api_key: 'MOLLIE_API_KEY' },
  refuse: ({ api_key: key = '' }) =>
    key.startsWith('test_') ? null : 'MOLLIE_API_KEY is no test key. A test key begins with test_.',
  connector: mollie,
  paying: {},
  declined: null,
  openDouble: async () => {
    const { double, connector, fields, close } = await startMollie();
    return {
      ...{ connector, credentials: fields, close },
      webhooks: () => {
        double.hands.decideOpen();
        return double.webhooks();
      },
      approve: (key) => {
        const payment = double.payments().find((each) => each.key === key);
        if (payment) double.hands.decide(payment.id, 'approve');
        return {};
      },
    };
  },
};
