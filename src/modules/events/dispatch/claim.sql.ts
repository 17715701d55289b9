import type { Db } from '../../../platform/database/db.ts';
import { byKey, rowOf, prepare } from '../../../platform/database/statement.ts';
import type { SealedCredentials } from '../endpoints/credentials.ts';
import type { SealedSecret } from '../endpoints/endpoints.sql.ts';
import type { WebhookBodyFormat } from '../endpoints/webhook-endpoint.ts';
import { WINDOW_MAX } from './endpoint-health.ts';
import { eventAt } from '../feed/event-at.sql.ts';

/** A delivery that this process may attempt until the lease ends. */
export type ClaimedDelivery = SealedCredentials & {
  readonly merchantAccountId: string;
  readonly endpointId: string;
  /** The event's position in the log, as the driver returns it. */
  readonly position: string;
  readonly lease: string;
  readonly leaseUntil: Date;
  /** The number of earlier failed attempts. */
  readonly attempt: number;
  /** True for the one delivery that probes a paused endpoint. */
  readonly probe: boolean;
  /** The moment of the delivery's creation or last replay: seven days before its deadline. */
  readonly createdAt: Date;
  /** The most simultaneous deliveries of the endpoint at the moment of the claim. */
  readonly window: number;
  readonly url: string;
  readonly bodyFormat: WebhookBodyFormat;
  readonly eventId: string;
  readonly sequence: bigint;
  /** The event's envelope, without its sequence. */
  readonly payload: string;
  /** Every secret that signs at present. */
  readonly secrets: readonly SealedSecret[];
};

export type Claim = {
  readonly now: Date;
  readonly lease: string;
  readonly leaseUntil: Date;
  /** The leases of earlier claims of this process that still hold deliveries. */
  readonly mine: readonly string[];
  /** The most deliveries to claim, over all endpoints. */
  readonly limit: number;
  /** The positions whose attempts can be stored: from `from`, below `until`. */
  readonly from: bigint;
  readonly until: bigint;
};

/**
 * Leases due deliveries fairly:
 *
 * - No endpoint gets more leases than four for each one of its window. A new endpoint gets one, and so does one after a
 *   failure.
 * - One process at a time holds leases of an endpoint, so that the window holds over all processes.
 * - Every endpoint gets a first delivery before any endpoint gets a second. The endpoint that waited longest comes
 *   first.
 * - A paused endpoint gets none until its pause ends. It then gets one probe: the delivery with the earliest due time,
 *   even in the future.
 * - Endpoints that another process is claiming for are skipped.
 *
 * A dead endpoint with a long queue therefore delays no other endpoint.
 */
export async function claimDeliveries(db: Db, given: Claim): Promise<readonly ClaimedDelivery[]> {
  const rows = await db.query<Omit<ClaimedDelivery, 'sequence'> & { sequence: string }>(claim(given));
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence) }));
}

/**
 * Returns a recursive CTE of the endpoints with pending deliveries, each with its earliest due time. It makes one index
 * probe for each endpoint. A `SELECT DISTINCT` would read the whole queue. A further condition limits the deliveries.
 */
export const waiting = (condition = ''): string => `
  waiting AS (
    (SELECT merchant_account_id, endpoint_id, next_at FROM delivery WHERE state = 'pending' ${condition}
     ORDER BY endpoint_id, next_at, position LIMIT 1)
    UNION ALL
    SELECT following.* FROM waiting CROSS JOIN LATERAL (
      SELECT merchant_account_id, endpoint_id, next_at FROM delivery
      WHERE state = 'pending' AND endpoint_id > waiting.endpoint_id ${condition}
      ORDER BY endpoint_id, next_at, position LIMIT 1) following)`;

/** Returns the condition that `d` is the delivery of another row, as a look-up by index. */
export const deliveryOf = (row: string): string =>
  `${byKey('d.position', `${row}.position`)} AND ${byKey('d.endpoint_id', `${row}.endpoint_id`)}`;

// For two comparisons with unknown values, Postgres expects one row of 200. It would sort the whole queue to find that row.
// For a CASE it expects every second row. The CASE also fits no index: the one by position would be read from end to end.
const HAS_ROOM = 'AND CASE WHEN position < @from THEN false ELSE position < @until END';

/**
 * The deliveries that a process holds for an endpoint, for each one of its window. Those behind the window start without a
 * round trip. All of them end within a lease, even if each takes its whole deadline of 5 s.
 */
const LEAD = 4;

const LEAD_MAX = LEAD * WINDOW_MAX;

/** The secrets of a ranked endpoint that sign at present. */
const SECRETS = `(SELECT coalesce(json_agg(json_build_object('id', k.id, 'sealed', k.sealed) ORDER BY k.created_at DESC), '[]')
      FROM webhook_secret k
      WHERE k.merchant_account_id = ranked.merchant_account_id AND k.endpoint_id = ranked.id
        AND (k.expires_at IS NULL OR k.expires_at > @now))`;

// The statement is written so that every plan is fast, with or without statistics (see byKey, eventAt):
//
// - Leased deliveries of an endpoint are counted only up to the largest number. Plans with a limit ignore index entries
//   of rows that were leased once. A count over all endpoints does not.
// - OFFSET 0 prevents a join of the endpoint's look-up with all endpoints.
// - The largest number of leases is a literal in both LATERALs.
// - The state of leased rows is compared in a form that fits no partial index. Such an index would be read from end to
//   end for every row. The index by position finds the row at once.
//
// The commit waits for no disk and no standby. After a crash of Postgres, the lost leases leave their deliveries pending.
// They are sent again, as after any crash between a claim and its settlement.
//
// A paused endpoint has a window of 1, and all its deliveries count as due. The lock reads the endpoint's row again, so
// its conditions hold now. An endpoint that another process has paused or served since is skipped.
const claim = prepare(
  'delivery_claim',
  `
  WITH RECURSIVE unhurried AS MATERIALIZED (
    SELECT set_config('synchronous_commit', 'off', true)),
  ${waiting(HAS_ROOM)},
  ranked AS MATERIALIZED (
    SELECT w.*, w.lead - u.count AS room
    FROM waiting CROSS JOIN LATERAL (
      SELECT merchant_account_id, id, url, body_format, served_at, pauses, sealed_headers, basic_auth_username,
             sealed_basic_password, CASE WHEN pauses > 0 THEN 1 ELSE "window" END AS "window",
             CASE WHEN pauses > 0 OR "window" = 1 THEN 1 ELSE ${LEAD} * "window" END AS lead,
             CASE WHEN pauses > 0 THEN 'infinity' ELSE @now::timestamptz END AS due_by
      FROM webhook_endpoint e
      WHERE e.merchant_account_id = waiting.merchant_account_id AND e.id = waiting.endpoint_id
        AND e.deleted_at IS NULL AND e.state <> 'disabled' AND (e.paused_until IS NULL OR e.paused_until <= @now)
      OFFSET 0) w
    CROSS JOIN LATERAL (
      SELECT count(*), bool_or(lease <> ALL (@mine::uuid[])) IS TRUE AS elsewhere
      FROM (SELECT lease FROM delivery WHERE endpoint_id = w.id AND state = 'leased' LIMIT ${LEAD_MAX}) l) u
    WHERE waiting.next_at <= w.due_by AND u.count < w.lead AND NOT u.elsewhere
    ORDER BY w.served_at NULLS FIRST LIMIT @limit),
  served AS MATERIALIZED (
    SELECT ranked.*, ${SECRETS} AS secrets FROM ranked JOIN webhook_endpoint w
      ON ${rowOf('w', 'ranked')} AND w.pauses = ranked.pauses
        AND w.served_at IS NOT DISTINCT FROM ranked.served_at
    FOR NO KEY UPDATE OF w SKIP LOCKED),
  chosen AS (
    SELECT d.endpoint_id, d.position
    FROM served CROSS JOIN LATERAL (
      SELECT endpoint_id, position, row_number() OVER (ORDER BY next_at, position) AS nth FROM (
        SELECT endpoint_id, position, next_at FROM delivery
        WHERE endpoint_id = served.id AND state = 'pending' AND next_at <= served.due_by ${HAS_ROOM}
        ORDER BY next_at, position LIMIT ${LEAD_MAX}) due) d
    WHERE d.nth <= served.room
    ORDER BY d.nth, served.served_at NULLS FIRST LIMIT @limit),
  leased AS (
    UPDATE delivery d SET state = 'leased', lease = @lease, lease_until = @leaseUntil
    FROM chosen WHERE ${deliveryOf('chosen')} AND d.state || '' = 'pending'
    RETURNING d.*),
  marked AS (
    UPDATE webhook_endpoint w SET served_at = @now,
      state = CASE w.state WHEN 'paused' THEN 'failing' ELSE w.state END,
      state_changed_at = CASE w.state WHEN 'paused' THEN @now ELSE w.state_changed_at END
    FROM (SELECT DISTINCT merchant_account_id, endpoint_id FROM leased) l
    WHERE ${rowOf('w', 'l', 'endpoint_id')})
  SELECT l.merchant_account_id AS "merchantAccountId", l.endpoint_id AS "endpointId", l.position, l.lease, l.lease_until AS "leaseUntil", l.attempt,
         s.pauses > 0 AS probe, s."window", l.deadline - interval '168 hours' AS "createdAt", s.url, s.body_format AS "bodyFormat", e.id AS "eventId",
         f.sequence, e.payload,
         s.sealed_headers AS "sealedHeaders", s.basic_auth_username AS "basicAuthUsername",
         s.sealed_basic_password AS "sealedBasicPassword", s.secrets
  FROM unhurried CROSS JOIN leased l JOIN served s ON s.id = l.endpoint_id
  ${eventAt('l.position')}
  JOIN feed_entry f ON ${byKey('f.position', 'l.position')}
  ORDER BY l.position`,
);
