import type { ShiftedClock } from '../../support/shifted-clock.ts';
import { createAdyenDouble, CREDENTIALS } from '../adyen/double.ts';
import type { AdyenNotification } from '../adyen/notifications.ts';
import { adyenAt } from '../adyen/start.ts';
import { byCard, movable, type Party } from './party.ts';

type Posted = {
  readonly notificationItems: readonly [{ readonly NotificationRequestItem: AdyenNotification['item'] }];
};

export async function startAdyen(clock: ShiftedClock): Promise<Party> {
  const double = createAdyenDouble({ now: () => clock.now() });
  const server = await double.listen();
  const { address, moveTo } = movable(server.url);
  return {
    ...{ name: 'Adyen', definitionId: 'adyen-card', currency: 'EUR', connector: adyenAt(address), moveTo },
    fields: { ...CREDENTIALS, raw_card_data: 'true' },
    means: byCard,
    failNext: (...troubles) => double.failNext(...troubles),
    behave: () => double.behave(),
    revokeKey: () => double.failNext('unauthorized'),
    payments: () => double.books().filter(({ authorised }) => authorised > 0).length,
    captured: () => double.books().reduce((sum, { captured }) => sum + captured, 0),
    webhooks: () => double.webhooks(),
    // One key may sign the webhooks of all accounts of a company.
    ofAnother: (owed) =>
      owed.map(({ body }) => {
        const { notificationItems } = JSON.parse(body) as Posted;
        const { NotificationRequestItem: item } = notificationItems[0];
        const pspReference = `X${item.pspReference.slice(1)}`;
        return double.sign({ ...item, pspReference, merchantAccountCode: 'OtherMerchant' });
      }),
    close: () => server.close(),
  };
}
