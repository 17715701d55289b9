import type { App } from '../../../app.ts';
import { reconciliationIdOf } from '../../../kernel/reconciliation-id.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordEvent } from '../../event-log/index.ts';
import type { Buyer, ShippingDetails } from '../model/buyer.ts';

type Change = 'created' | 'updated' | 'deleted';

/**
 * Writes `buyer.<change>` in the transaction of the change. The event holds no names or addresses: receivers
 * read the buyer.
 */
export async function recordBuyerEvent(app: App, tx: Tx, change: Change, buyer: Buyer): Promise<void> {
  const { id, externalIdentifier } = buyer;
  await recordEvent(tx, {
    ...commonOf(app, buyer),
    name: `buyer.${change}`,
    target: {
      ...{ type: 'buyer', id, reconciliation_id: reconciliationIdOf(id) },
      ...{ external_identifier: externalIdentifier, ...momentsOf(buyer) },
    },
  });
}

/** Writes `shipping-details.<change>` in the transaction of the change, without names or addresses. */
export async function recordShippingDetailsEvent(
  app: App,
  tx: Tx,
  change: Change,
  details: ShippingDetails,
): Promise<void> {
  const { id, buyerId } = details;
  await recordEvent(tx, {
    ...commonOf(app, details),
    name: `shipping-details.${change}`,
    target: { type: 'shipping-details', id, buyer_id: buyerId, ...momentsOf(details) },
  });
}

const commonOf = (app: App, { merchantAccountId }: Pick<Buyer, 'merchantAccountId'>) => ({
  ...{ merchantAccountId, id: app.ids.uuid(), createdAt: app.clock.now() },
  production: app.config.production,
});

const momentsOf = ({ createdAt, updatedAt }: Pick<Buyer, 'createdAt' | 'updatedAt'>) => ({
  created_at: createdAt.toISOString(),
  updated_at: updatedAt.toISOString(),
});
