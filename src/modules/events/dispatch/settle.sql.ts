import type { Db } from '../../../platform/database/db.ts';
import { byKey, prepare } from '../../../platform/database/statement.ts';
import { HEALTH_EXPRESSIONS } from './endpoint-health.sql.ts';
import type { EndpointReport } from './endpoint-health.ts';
import type { SettledAttempt } from './settled-attempt.ts';

export type Settlement = {
  /** At most one attempt of each delivery. */
  readonly attempts: readonly SettledAttempt[];
  readonly reports: readonly EndpointReport[];
  readonly now: Date;
  readonly environment: 'production' | 'sandbox';
};

/**
 * Stores attempts, the next steps of their deliveries, and the health of their endpoints, in one statement. Returns the
 * number of events that it wrote.
 *
 * If the lease now belongs to another process, the delivery stays unchanged and only the attempt is stored. A repeat
 * after a lost reply stores no attempt twice.
 */
export async function settleDeliveries(
  db: Db,
  { attempts, reports, now, environment }: Settlement,
): Promise<number> {
  const [row] = await db.query<{ events: number }>(
    settle({ attempts: JSON.stringify(attempts), now, reports: JSON.stringify(reports), environment }),
  );
  return row?.events ?? 0;
}

const OF_ATTEMPT = `${byKey('d.position', 'a.position')} AND ${byKey('d.endpoint_id', 'a."endpointId"')}`;

// The statement is written so that every plan is fast, even a plan for small tables (see byKey):
//
// - An attempt within its lease skips the search for stored attempts, because storing an attempt ends the lease.
// - OFFSET 0 prevents a join of a late attempt's look-up with all attempts. The look-up has all columns, so both
//   indexes fit.
// - The state is compared in a form that fits no partial index. The index of leased rows still leads to every row
//   leased since the last vacuum. The index by position leads to the one row.
const settle = prepare(
  'delivery_settle',
  `
  WITH attempt AS (
    SELECT * FROM json_to_recordset(@attempts::json) AS a (
      id uuid, "merchantAccountId" text, "endpointId" uuid, position bigint, lease uuid, probe boolean,
      "startedAt" timestamptz, "durationMs" int, timing json, "statusCode" int, error text, "replyStart" text, state text,
      "nextAt" timestamptz, verdict text)),
  settled AS (
    UPDATE delivery d SET state = a.state, lease = NULL, lease_until = NULL,
      -- A probe may be made long before the delivery is due by its schedule. The schedule then counts.
      next_at = CASE WHEN a.probe THEN greatest(a."nextAt", d.next_at) ELSE coalesce(a."nextAt", d.next_at) END,
      attempt = d.attempt + CASE WHEN a.verdict IN ('failure', 'gone') AND NOT a.probe THEN 1 ELSE 0 END,
      attempts_made = d.attempts_made + 1,
      settled_at = CASE WHEN a.state = 'pending' THEN NULL ELSE @now::timestamptz END
    FROM attempt a
    WHERE ${OF_ATTEMPT} AND d.state || '' = 'leased' AND d.lease = a.lease
    RETURNING a.id, d.attempts_made),
  late AS (
    UPDATE delivery d SET attempts_made = d.attempts_made + 1
    FROM attempt a
    WHERE ${OF_ATTEMPT} AND a.id NOT IN (SELECT id FROM settled)
      AND NOT EXISTS (
        SELECT FROM delivery_attempt b
        WHERE b.merchant_account_id = a."merchantAccountId" AND b.endpoint_id = a."endpointId" AND b.position = a.position
          AND b.id = a.id OFFSET 0)
    RETURNING a.id, d.attempts_made),
  stored AS (
    INSERT INTO delivery_attempt (merchant_account_id, id, endpoint_id, position, number, probe, started_at, duration_ms,
                                  lookup_ms, connect_ms, tls_ms, first_byte_ms, status_code, error, reply_start)
    SELECT a."merchantAccountId", a.id, a."endpointId", a.position, n.attempts_made, a.probe, a."startedAt", a."durationMs",
           (a.timing ->> 'lookupMs')::int, (a.timing ->> 'connectMs')::int, (a.timing ->> 'tlsMs')::int,
           (a.timing ->> 'firstByteMs')::int, a."statusCode", a.error, a."replyStart"
    FROM attempt a JOIN (SELECT * FROM settled UNION ALL SELECT * FROM late) n USING (id)),
  ${HEALTH_EXPRESSIONS}
  SELECT count(*)::int AS events FROM health_event`,
);
