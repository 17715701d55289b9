import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordEvent } from '../../event-log/index.ts';
import type { GiftCard } from '../model/gift-card.ts';

/** Writes `gift-card.<change>` in the transaction of the change. */
export async function recordGiftCardEvent(
  app: App,
  tx: Tx,
  change: 'created' | 'updated' | 'deleted',
  card: GiftCard,
): Promise<void> {
  const { id, merchantAccountId, buyerId, bin, subBin, lastFour, currency, balance } = card;
  await recordEvent(tx, {
    merchantAccountId,
    id: app.ids.uuid(),
    name: `gift-card.${change}`,
    createdAt: app.clock.now(),
    production: app.config.production,
    target: {
      type: 'gift-card',
      id,
      buyer_id: buyerId,
      ...{ bin, sub_bin: subBin, last4: lastFour, currency, balance },
      created_at: card.createdAt.toISOString(),
      updated_at: card.updatedAt.toISOString(),
    },
  });
}
