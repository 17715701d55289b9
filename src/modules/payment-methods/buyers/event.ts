import type { App } from '../../../app.ts';
import { reconciliationIdOf } from '../../../kernel/reconciliation-id.ts';
import type { Tx } from '../../../platform/db.ts';
import { recordEvent, type EventName } from '../../event-log/index.ts';
import type { Buyer, ShippingDetails } from '../model/buyer.ts';

type Change = 'created' | 'updated' | 'deleted';

/**
 * Writes `buyer.<change>` in the transaction of the change. The event holds no names or addresses: receivers
 * read the buyer.
 */
export async function recordBuyerEvent(app: App, tx: Tx, change: Change, buyer: Buyer): Promise<void> {
  const { id, externalIdentifier } = buyer;
  await record(app, tx, `buyer.${change}`, buyer, {
    type: 'buyer',
    id,
    reconciliation_id: reconciliationIdOf(id),
    external_identifier: externalIdentifier,
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
  const target = { type: 'shipping-details', id, buyer_id: buyerId };
  await record(app, tx, `shipping-details.${change}`, details, target);
}

type EventRecord = Pick<Buyer, 'merchantAccountId' | 'createdAt' | 'updatedAt'>;
type Target = { readonly type: string; readonly id: string; readonly [field: string]: unknown };

async function record(
  app: App,
  tx: Tx,
  name: EventName,
  { merchantAccountId, createdAt, updatedAt }: EventRecord,
  target: Target,
): Promise<void> {
  await recordEvent(tx, {
    merchantAccountId,
    id: app.ids.uuid(),
    name,
    createdAt: app.clock.now(),
    production: app.config.production,
    target: { ...target, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() },
  });
}
