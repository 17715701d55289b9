import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';
import { deliveryOf, type ClaimedDelivery } from './claim.sql.ts';

/** Makes claimed deliveries pending again, if their leases still hold. Uses up no attempt. */
export async function releaseDeliveries(db: Db, deliveries: readonly ClaimedDelivery[]): Promise<void> {
  if (deliveries.length === 0) return;
  await db.query(
    release({
      endpoints: deliveries.map(({ endpointId }) => endpointId),
      positions: deliveries.map(({ position }) => position),
      leases: deliveries.map(({ lease }) => lease),
    }),
  );
}

// The state is compared in a form that fits no partial index, as in the claim.
const release = prepare(
  'delivery_give_back',
  `
  UPDATE delivery d SET state = 'pending', lease = NULL, lease_until = NULL
  FROM unnest(@endpoints::uuid[], @positions::bigint[], @leases::uuid[]) AS given (endpoint_id, position, lease)
  WHERE ${deliveryOf('given')} AND d.state || '' = 'leased' AND d.lease = given.lease`,
);
