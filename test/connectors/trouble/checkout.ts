import type { ShiftedClock } from '../../support/shifted-clock.ts';
import { createCheckout } from '../../../src/connectors/checkout/index.ts';
import { credentialsOf } from '../checkout/contract-double.ts';
import { createCheckoutDouble } from '../checkout/double.ts';
import { MINUTE_MS, type CheckoutEvent } from '../checkout/world.ts';
import { byCard, movable, type Party } from './party.ts';

/** The calls that move money, and those of a look-up. A capture reads its actions first, and a failed read fails it. */
const WORK = /^(POST \/payments|GET \/payments(\?|\/\w+$))/;

export async function startCheckout(clock: ShiftedClock): Promise<Party> {
  const double = createCheckoutDouble({ now: () => clock.now(), searchLagMs: 60 * MINUTE_MS });
  const server = await double.listen();
  const { address, moveTo } = movable(server.url);
  return {
    ...{ name: 'Checkout.com', definitionId: 'checkout-card', currency: 'EUR', moveTo },
    connector: createCheckout(address),
    fields: credentialsOf(double),
    means: byCard,
    // A payment that the search does not show is paid again only after this time.
    recoversAfterMs: 180 * MINUTE_MS,
    failNext: (...troubles) => double.failNext(troubles, WORK),
    behave: () => double.behave(),
    revokeKey: () => double.failNext(['expired_token'], WORK),
    payments: () => double.books().filter(({ authorized }) => authorized > 0).length,
    captured: () => double.books().reduce((sum, { captured }) => sum + captured, 0),
    webhooks: () => double.webhooks(),
    // One workflow may serve all processing channels of a company.
    ofAnother: (owed) =>
      owed.map(({ body }) => {
        const event = JSON.parse(body) as CheckoutEvent;
        return double.sign({
          ...{ id: `${event.id}other`, type: event.type },
          data: { ...event.data, processing_channel_id: 'pc_other' },
        });
      }),
    close: () => server.close(),
  };
}
