import { envelopeExpression, eventExpressions, momentExpression as moment } from '../../event-log/index.ts';
import { HEALTH_EVENTS } from '../endpoints/webhook-endpoint.ts';
import { byKey, rowOf } from '../../../platform/database/statement.ts';
import { AUTO_DISABLE_AFTER_MS, FAILURES_TO_PAUSE, PAUSES_MS, WINDOW_MAX } from './endpoint-health.ts';

const seconds = (ms: number): number => ms / 1_000;

/**
 * Locks the endpoints' rows and reads them again before any decision. Skips healthy endpoints with only successes:
 * locking their rows would block every claim.
 */
const BEFORE = `
  report AS (
    SELECT * FROM json_to_recordset(@reports::json) AS r (
      "merchantAccountId" text, "endpointId" uuid, successes int, failures int, "probeFailed" boolean, worst text,
      "lastFailure" text, "eventId" uuid)),
  before AS MATERIALIZED (
    SELECT w.merchant_account_id, w.id, w.state <> 'disabled' AND w.deleted_at IS NULL AS live, w.pauses, w.auto_disable,
      w.failing_since, w."window", w.consecutive_failures, r.*,
      CASE r.worst WHEN 'success' THEN least(${WINDOW_MAX}, w."window" + r.successes) WHEN 'throttled' THEN greatest(1, w."window" / 2)
        ELSE 1 END AS new_window,
      CASE WHEN r.successes > 0 THEN r.failures ELSE w.consecutive_failures + r.failures END AS new_failures
    FROM report r
    JOIN webhook_endpoint w ON ${byKey('w.merchant_account_id', 'r."merchantAccountId"')} AND ${byKey('w.id', 'r."endpointId"')}
    WHERE NOT (r.worst = 'success' AND w."window" = ${WINDOW_MAX} AND w.consecutive_failures = 0 AND w.pauses = 0)
    ORDER BY r."merchantAccountId", r."endpointId" FOR NO KEY UPDATE OF w)`;

/** Decides the change of an endpoint, and its new number of consecutive pauses. NULL means no change. */
const DECIDED = `
  happening AS (
    SELECT *, CASE
      WHEN NOT live THEN NULL
      WHEN worst = 'gone' THEN 'gone'
      WHEN successes = 0 AND worst = 'failure' AND auto_disable
        AND failing_since <= @now::timestamptz - interval '${seconds(AUTO_DISABLE_AFTER_MS)} s' THEN 'given up'
      WHEN pauses = 0 AND new_failures >= ${FAILURES_TO_PAUSE} THEN 'failing'
      WHEN pauses > 0 AND successes > 0 AND new_failures < ${FAILURES_TO_PAUSE} THEN 'recovered'
      WHEN pauses > 0 AND (successes > 0 OR "probeFailed") THEN 'paused again'
      END AS what
    FROM before),
  decided AS (
    SELECT *, CASE
      WHEN what = 'failing' OR (what = 'paused again' AND successes > 0) THEN 1
      WHEN what = 'paused again' THEN pauses + 1
      WHEN what IS NULL THEN pauses
      ELSE 0 END AS new_pauses
    FROM happening)`;

const WRITTEN = `
  written AS (
    UPDATE webhook_endpoint w SET "window" = j.new_window, consecutive_failures = j.new_failures, pauses = j.new_pauses,
      paused_until = CASE
        WHEN j.what IN ('failing', 'paused again') THEN @now::timestamptz + interval '1 s'
          * (ARRAY[${PAUSES_MS.map(seconds).join(', ')}])[least(j.new_pauses, ${PAUSES_MS.length})]
        WHEN j.what IS NULL THEN w.paused_until END,
      state = CASE
        WHEN j.what IN ('gone', 'given up') THEN 'disabled'
        WHEN j.what IN ('failing', 'paused again') THEN 'paused'
        WHEN j.what = 'recovered' THEN 'active'
        ELSE w.state END,
      state_reason = CASE
        WHEN j.what = 'gone' THEN 'The endpoint answered 410 Gone.'
        WHEN j.what = 'given up' THEN 'It failed for 7 days, the last time with ' || j."lastFailure" || '.'
        WHEN j.what IN ('failing', 'paused again') THEN
          'At least ${FAILURES_TO_PAUSE} attempts in a row failed, the last one with ' || j."lastFailure" || '.'
        WHEN j.what IS NULL THEN w.state_reason END,
      state_changed_at = CASE WHEN j.what IS NULL THEN w.state_changed_at ELSE @now END,
      disabled_at = CASE WHEN j.what IN ('gone', 'given up') THEN @now ELSE w.disabled_at END,
      failing_since = CASE j.what WHEN 'failing' THEN @now WHEN 'recovered' THEN NULL ELSE w.failing_since END,
      draining_since = CASE j.what WHEN 'recovered' THEN @now ELSE w.draining_since END
    FROM decided j
    WHERE ${rowOf('w', 'j')}
      AND (j.what IS NOT NULL OR j."window" <> j.new_window OR j.consecutive_failures <> j.new_failures)
    RETURNING w.merchant_account_id, w.id, w.url, w.state, w.state_reason, j."eventId" AS event_id,
      coalesce(w.failing_since, j.failing_since) AS failing_since,
      CASE j.what WHEN 'gone' THEN '${HEALTH_EVENTS.disabled}' WHEN 'given up' THEN '${HEALTH_EVENTS.disabled}'
        WHEN 'failing' THEN '${HEALTH_EVENTS.failing}' WHEN 'recovered' THEN '${HEALTH_EVENTS.recovered}' END AS event_name)`;

/** The target omits the query of the URL. Other endpoints receive the event, and the query may be a secret. */
const ENDPOINT = `json_build_object('type', 'webhook-endpoint', 'id', id, 'url', regexp_replace(url, '[?#].*$', ''),
        'state', state, 'state_reason', state_reason, 'failing_since', ${moment('failing_since')})`;

const HEALTH_EVENT = `
  health_event AS (
    SELECT merchant_account_id, event_id, event_name, 'webhook-endpoint' AS target_type, id::text AS target_id,
      @now::timestamptz AS created_at,
      ${envelopeExpression({ id: 'event_id', name: 'event_name', account: 'merchant_account_id', target: ENDPOINT })} AS payload
    FROM written WHERE event_name IS NOT NULL)`;

/**
 * Common table expressions that apply the changes of reports. The statement that stores the attempts includes them. An
 * endpoint is paused in the commit that ends its lease, so no second probe can start in between.
 *
 * - Windows adapt: one more for each success up to 8, half after a 429, 1 after a failure.
 * - Consecutive failures pause an endpoint. A success makes it active again.
 * - A 410 disables an endpoint. Seven days of failures disable it too, if the merchant wants that.
 *
 * `health_event` holds the events of such changes. They are decided under the endpoint's lock, so each is written once.
 * Rows are locked in a fixed order, so that two processes with the same endpoints cannot deadlock. Parameters: @now now,
 * @reports reports, @environment environment.
 */
export const HEALTH_EXPRESSIONS = `${BEFORE}, ${DECIDED}, ${WRITTEN}, ${HEALTH_EVENT}, ${eventExpressions('health_event')}`;
