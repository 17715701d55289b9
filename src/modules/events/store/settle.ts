import type { Db } from '../../../platform/db.ts';

/** What came of an attempt and what follows for the delivery. */
export type SettledAttempt = {
  /** Of the attempt. */
  readonly id: string;
  readonly merchantAccountId: string;
  readonly endpointId: string;
  readonly position: string;
  readonly lease: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly statusCode: number | null;
  readonly error: string | null;
  /** At most 4 kB, without U+0000. */
  readonly replyStart: string | null;
  readonly state: 'done' | 'pending' | 'expired';
  /** When to try again; null unless pending. */
  readonly nextAt: Date | null;
  /** What the attempt says about the endpoint. */
  readonly verdict: Verdict;
};

/** `throttled` is 429: not a failure of the delivery. `gone` is 410: the receiver wants nothing any more. */
export type Verdict = 'success' | 'failure' | 'throttled' | 'gone';

/**
 * Stores attempts and what follows from them, in one statement. A delivery whose lease is not ours any more is left to
 * its new owner; the attempt is on record all the same, because it was made.
 */
export async function settleDeliveries(
  db: Db,
  attempts: readonly SettledAttempt[],
  now: Date,
): Promise<void> {
  await db.query({ name: 'delivery_settle', text: SETTLE, values: [JSON.stringify(attempts), now] });
}

const SETTLE = `
  WITH attempt AS (
    SELECT * FROM json_to_recordset($1::json) AS a (
      id uuid, "merchantAccountId" text, "endpointId" uuid, position bigint, lease uuid, "startedAt" timestamptz,
      "durationMs" int, "statusCode" int, error text, "replyStart" text, state text, "nextAt" timestamptz, verdict text)),
  settled AS (
    UPDATE delivery d SET state = a.state, lease = NULL, lease_until = NULL, next_at = coalesce(a."nextAt", d.next_at),
      attempt = d.attempt + CASE WHEN a.verdict IN ('failure', 'gone') THEN 1 ELSE 0 END,
      settled_at = CASE WHEN a.state = 'pending' THEN NULL ELSE $2::timestamptz END
    FROM attempt a
    WHERE d.endpoint_id = a."endpointId" AND d.position = a.position AND d.state = 'leased' AND d.lease = a.lease)
  INSERT INTO delivery_attempt (merchant_account_id, id, endpoint_id, position, number, started_at, duration_ms,
                                status_code, error, reply_start)
  SELECT a."merchantAccountId", a.id, a."endpointId", a.position,
         1 + (SELECT count(*) FROM delivery_attempt b WHERE b.merchant_account_id = a."merchantAccountId"
                AND b.endpoint_id = a."endpointId" AND b.position = a.position),
         a."startedAt", a."durationMs", a."statusCode", a.error, a."replyStart"
  FROM attempt a`;

/** What a batch of attempts says about one endpoint. */
export type EndpointReport = {
  readonly merchantAccountId: string;
  readonly endpointId: string;
  readonly successes: number;
  /** Failures since the last success, or all of them when there was none. */
  readonly failures: number;
  readonly worst: Verdict;
};

/**
 * Adapts windows: one more for each success, to 8; half after 429; 1 after a failure. 410 disables the endpoint: its
 * deliveries wait. In an order of their own, so that two processes that report on the same endpoints do not lock each
 * other out.
 */
export async function reportEndpoints(db: Db, reports: readonly EndpointReport[], now: Date): Promise<void> {
  await db.query({ name: 'endpoint_report', text: REPORT, values: [JSON.stringify(reports), now] });
}

const REPORT = `
  WITH report AS (
    SELECT * FROM json_to_recordset($1::json) AS r (
      "merchantAccountId" text, "endpointId" uuid, successes int, failures int, worst text)),
  changed AS MATERIALIZED (
    SELECT w.merchant_account_id, w.id, r.worst,
      CASE r.worst WHEN 'success' THEN least(8, w."window" + r.successes) WHEN 'throttled' THEN greatest(1, w."window" / 2)
        ELSE 1 END AS "window",
      CASE WHEN r.successes > 0 THEN r.failures ELSE w.consecutive_failures + r.failures END AS consecutive_failures,
      w."window" AS old_window, w.consecutive_failures AS old_failures
    FROM webhook_endpoint w JOIN report r ON w.merchant_account_id = r."merchantAccountId" AND w.id = r."endpointId"
    ORDER BY w.merchant_account_id, w.id FOR NO KEY UPDATE OF w)
  UPDATE webhook_endpoint w SET "window" = c."window", consecutive_failures = c.consecutive_failures,
    state = CASE WHEN c.worst = 'gone' THEN 'disabled' ELSE w.state END,
    disabled_at = CASE WHEN c.worst = 'gone' THEN coalesce(w.disabled_at, $2) ELSE w.disabled_at END,
    disabled_reason = CASE WHEN c.worst = 'gone' THEN coalesce(w.disabled_reason, 'The endpoint answered 410 Gone.')
      ELSE w.disabled_reason END
  FROM changed c
  WHERE w.merchant_account_id = c.merchant_account_id AND w.id = c.id
    AND (c."window" <> c.old_window OR c.consecutive_failures <> c.old_failures OR c.worst = 'gone')`;
