import type { Db } from '../../../../platform/database/db.ts';
import { prepareFile } from '../../../../platform/database/statement.ts';

/** The most rows that one statement changes, so that locks stay short. */
export const SWEPT_MAX = 1_000;

/**
 * Sweeps over deliveries that the claim leaves out:
 *
 * - Releases deliveries whose leases ended. They are attempted again, perhaps for the second time with the same id.
 * - Cancels pending deliveries of deleted endpoints.
 * - Expires pending deliveries beyond their deadlines.
 * - Makes pending deliveries of recovered endpoints due.
 *
 * Returns true when more work is ready. If a process dies during the sweep, the next sweep does the rest.
 */
export async function sweepDeliveries(db: Db, now: Date): Promise<boolean> {
  await db.query(release({ now }));
  const cancelled = await db.query(cancel({ now }));
  const expired = await db.query(expire({ now }));
  const drained = await db.query<{ more: boolean }>(drain({ now }));
  return cancelled.length === SWEPT_MAX || expired.length === SWEPT_MAX || drained.some(({ more }) => more);
}

const release = prepareFile(import.meta, 'delivery-release.sql');

const cancel = prepareFile(import.meta, 'delivery-cancel.sql');

const expire = prepareFile(import.meta, 'delivery-expire.sql');

const drain = prepareFile(import.meta, 'delivery-drain.sql');
