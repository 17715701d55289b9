import type { Tx } from '../../../platform/db.ts';
import { matchesNameSql } from './names.ts';

/**
 * Whether an event is for an endpoint of its merchant account, in SQL; `e` is event, `w` webhook_endpoint. What is behind
 * the endpoint's beginning is told by the place in the log and not by clocks, which differ between processes.
 */
export const WANTED = `w.deleted_at IS NULL AND e.position > w.created_position
  AND ${matchesNameSql('w.event_names', 'e.name')}`;

/**
 * The end of the log as this transaction sees it: an endpoint that is made with it gets every event that is written from
 * now on, and none that was committed before. The greatest position and not the sequence's last value, because that
 * counts events of transactions under way as well, and those are yet to happen.
 */
export async function readLogEnd(tx: Tx): Promise<bigint> {
  const [row] = await tx.$queryRaw<{ end: bigint }[]>`SELECT coalesce(max(position), 0) AS "end" FROM event`;
  return row?.end ?? 0n;
}
