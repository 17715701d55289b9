import { createStripe } from '../../../src/connectors/stripe/index.ts';
import type { ShiftedClock } from '../../support/shifted-clock.ts';
import { createStripeDouble } from '../stripe/double.ts';
import { byCard, movable, type Party } from './party.ts';

/** The calls that move money or read. */
const WORK = /^(?!POST \/v1\/(payment_methods|customers|tokens)$)/;

export async function startStripe(clock: ShiftedClock): Promise<Party> {
  const double = createStripeDouble({ now: () => clock.now() });
  const server = await double.listen();
  const { address, moveTo } = movable(server.url);
  const hosts = {
    get api() {
      return address();
    },
    get files() {
      return address();
    },
  };
  return {
    ...{
      name: 'Stripe',
      definitionId: 'stripe-card',
      currency: 'USD',
      connector: createStripe(hosts),
      moveTo,
    },
    fields: {
      ...{ secret_key: double.secretKey, webhook_secret: double.webhookSecret, raw_card_data: 'true' },
    },
    means: byCard,
    failNext: (...troubles) => double.failNext(troubles, WORK),
    behave: () => double.behave(),
    payments: () => double.books().payments.filter(({ authorized }) => authorized > 0).length,
    captured: () => double.books().payments.reduce((sum, { captured }) => sum + captured, 0),
    webhooks: () => double.webhooks(),
    // The endpoint of another account has another secret.
    foreignWebhooks: () =>
      double.webhooks().map(({ headers, body }) => {
        const signature = headers['stripe-signature']?.replace(/v1=\w/, (text) =>
          text === 'v1=0' ? 'v1=1' : 'v1=0',
        );
        return { body, headers: { ...headers, 'stripe-signature': signature ?? '' } };
      }),
    close: () => server.close(),
  };
}
