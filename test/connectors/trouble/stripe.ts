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
    ...{ name: 'Stripe', definitionId: 'stripe-card', currency: 'USD', connector: createStripe(hosts) },
    moveTo,
    fields: {
      ...{ secret_key: double.secretKey, webhook_secret: double.webhookSecret, raw_card_data: 'true' },
    },
    means: byCard,
    failNext: (...troubles) => double.failNext(troubles, WORK),
    behave: () => double.behave(),
    revokeKey: () => double.failNext(['expired_token'], WORK),
    payments: () => double.books().payments.filter(({ authorized }) => authorized > 0).length,
    captured: () => double.books().payments.reduce((sum, { captured }) => sum + captured, 0),
    webhooks: () => double.webhooks(),
    // The endpoint of a platform gets the events of all its connected accounts, signed with one secret.
    ofAnother: (owed) =>
      owed.map(({ body }) => {
        const event = JSON.parse(body) as { readonly id: string; readonly type: string };
        return double.sign({ ...event, id: `${event.id}other`, ...{ account: 'acct_other' } });
      }),
    close: () => server.close(),
  };
}
