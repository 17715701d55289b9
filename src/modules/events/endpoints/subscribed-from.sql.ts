import { queryIn, type Tx } from '../../../platform/database/db.ts';
import { matchesNameSql } from '../feed/names.sql.ts';
import { HEALTH_EVENTS } from './webhook-endpoint.ts';
import { prepare } from '../../../platform/database/statement.ts';

const HEALTH_NAMES = Object.values(HEALTH_EVENTS)
  .map((name) => `'${name}'`)
  .join(', ');

/**
 * The SQL condition that an event is for an endpoint of its merchant account. `e` is event, `w` webhook_endpoint.
 *
 * Events since the endpoint's creation are found by position, not by clocks, which differ between processes. An
 * endpoint gets no events about its own health. An endpoint that refused such an event would fail by it again and
 * again.
 */
export const IS_SUBSCRIBED = `w.deleted_at IS NULL AND (e.position > w.created_position OR e.position = ANY (w.created_gaps))
  AND ${matchesNameSql('w.event_names', 'e.name')}
  AND NOT (e.name IN (${HEALTH_NAMES}) AND e.target_id = w.id::text)`;

/**
 * The number of positions to search for uncommitted events. A transaction ends long before so many other events follow
 * its own.
 */
const GAP_SEARCH_MAX = 10_000;

export type LogEnd = { readonly createdPosition: bigint; readonly createdGaps: bigint[] };

/**
 * Returns the end of the log as this transaction sees it. The end is the greatest position and the earlier positions
 * that are not yet committed. A new endpoint gets every event outside this snapshot.
 *
 * The sequence's last value would be wrong, because it also counts uncommitted events.
 */
export async function readLogEnd(tx: Tx): Promise<LogEnd> {
  const [row] = await queryIn(tx).query<LogEnd>(logEnd({}));
  return row ?? { createdPosition: 0n, createdGaps: [] };
}

const logEnd = prepare(
  'log_end',
  `
    WITH log AS (SELECT coalesce(max(position), 0) AS "end" FROM event)
    SELECT "end" AS "createdPosition", ARRAY(
      SELECT place FROM generate_series(greatest("end" - ${GAP_SEARCH_MAX}, 0) + 1, "end") AS place
      EXCEPT SELECT position FROM event WHERE position > "end" - ${GAP_SEARCH_MAX} ORDER BY 1) AS "createdGaps"
    FROM log`,
);
