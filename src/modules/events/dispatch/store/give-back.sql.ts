import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';
import type { ClaimedDelivery } from './claim.sql.ts';

/** Makes claimed deliveries pending again, if their leases still hold. Uses up no attempt. */
export async function giveBackDeliveries(db: Db, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await db.query(
    release({
      endpoints: deliveries.map(({ endpointId }) => endpointId),
      positions: deliveries.map(({ position }) => position),
      leases: deliveries.map(({ lease }) => lease),
    }),
  );
}

const release = prepareFile(import.meta, 'delivery-give-back.sql');
