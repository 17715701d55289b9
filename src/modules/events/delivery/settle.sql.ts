import type { Db } from '../../../platform/db.ts';
import { byKey } from '../../../platform/statement.ts';
import { HEALTH_EXPRESSIONS } from './endpoint-health.sql.ts';
import type { EndpointReport } from './endpoint-health.ts';
import type { SettledAttempt } from './settled-attempt.ts';

export type Settlement = {
  /** At most one of a delivery. */
  readonly attempts: readonly SettledAttempt[];
  readonly reports: readonly EndpointReport[];
  readonly now: Date;
  readonly environment: 'production' | 'sandbox';
};

/**
 * Stores attempts, what follows from them for their deliveries, and what they say about the endpoints, in one statement.
 * A delivery whose lease is not ours any more is left to its new owner; the attempt is on record all the same, because it
 * was made. Asked again, because the answer was lost, it stores no attempt twice. Answers how many events were written.
 */
export async function settleDeliveries(
  db: Db,
  { attempts, reports, now, environment }: Settlement,
): Promise<number> {
  const [row] = await db.query<{ told: number }>({
    name: 'delivery_settle',
    text: SETTLE,
    values: [JSON.stringify(attempts), now, JSON.stringify(reports), environment],
  });
  return row?.told ?? 0;
}

const OF_ATTEMPT = `${byKey('d.position', 'a.position')} AND ${byKey('d.endpoint_id', 'a."endpointId"')}`;

// Written so that no plan can go astray that was made while the tables were small (see byKey). An attempt that is in
// time is not looked for among those of before: its lease ended with them. OFFSET 0 keeps the look-up of a late one
// from becoming a join with all attempts, and all that is known of it is asked for, so that either index leads to it.
// The state is asked for in a form that fits no partial index: that of the leased ones leads to all that the endpoint
// was ever leased since the last vacuum, where the index by position leads to the one.
const SETTLE = `
  WITH attempt AS (
    SELECT * FROM json_to_recordset($1::json) AS a (
      id uuid, "merchantAccountId" text, "endpointId" uuid, position bigint, lease uuid, probe boolean,
      "startedAt" timestamptz, "durationMs" int, timing json, "statusCode" int, error text, "replyStart" text, state text,
      "nextAt" timestamptz, verdict text)),
  settled AS (
    UPDATE delivery d SET state = a.state, lease = NULL, lease_until = NULL,
      -- A probe may be made long before the delivery is due by its schedule, which then stands.
      next_at = CASE WHEN a.probe THEN greatest(a."nextAt", d.next_at) ELSE coalesce(a."nextAt", d.next_at) END,
      attempt = d.attempt + CASE WHEN a.verdict IN ('failure', 'gone') AND NOT a.probe THEN 1 ELSE 0 END,
      attempts_made = d.attempts_made + 1,
      settled_at = CASE WHEN a.state = 'pending' THEN NULL ELSE $2::timestamptz END
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
  SELECT count(*)::int AS told FROM told`;
