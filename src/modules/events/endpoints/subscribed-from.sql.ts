import type { Tx } from '../../../platform/db.ts';
import { TOLD_AS } from '../delivery/endpoint-health.sql.ts';
import { matchesNameSql } from '../feed/names.sql.ts';

const HEALTH_NAMES = Object.values(TOLD_AS)
  .map((name) => `'${name}'`)
  .join(', ');

/**
 * Whether an event is for an endpoint of its merchant account, in SQL; `e` is event, `w` webhook_endpoint. What is behind
 * the endpoint's beginning is told by the place in the log and not by clocks, which differ between processes. Of its own
 * health an endpoint is not told: others are, and one that takes no such event would fail by it again and again.
 */
export const WANTED = `w.deleted_at IS NULL AND (e.position > w.created_position OR e.position = ANY (w.created_gaps))
  AND ${matchesNameSql('w.event_names', 'e.name')}
  AND NOT (e.name IN (${HEALTH_NAMES}) AND e.target_id = w.id::text)`;

/** Who writes an event is done long before so many others have taken their places behind it. */
const GAPS_LOOKED_FOR = 10_000;

export type LogEnd = { readonly createdPosition: bigint; readonly createdGaps: bigint[] };

/**
 * The end of the log as this transaction sees it, and the places before it that it does not see: an endpoint that is made with
 * them gets every event that is committed from now on, and none that was before. The greatest position and not the sequence's
 * last value, because that counts events of transactions under way as well, and those are yet to happen.
 */
export async function readLogEnd(tx: Tx): Promise<LogEnd> {
  const [row] = await tx.$queryRaw<LogEnd[]>`
    WITH log AS (SELECT coalesce(max(position), 0) AS "end" FROM event)
    SELECT "end" AS "createdPosition", ARRAY(
      SELECT place FROM generate_series(greatest("end" - ${GAPS_LOOKED_FOR}::int, 0) + 1, "end") AS place
      WHERE NOT EXISTS (SELECT FROM event WHERE position = place)) AS "createdGaps"
    FROM log`;
  return row ?? { createdPosition: 0n, createdGaps: [] };
}
