import type { Db } from '../../../platform/database/db.ts';
import { ACTOR, ACTS } from '../../../platform/database/acting.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import { CONNECTION_COLUMNS } from '../../payment-services/index.ts';
import { GIFT_CARDS_ALONE } from '../model/transaction.ts';
import { toClaim, type ClaimRow } from '../engine/claim.sql.ts';
import type { Claim } from '../engine/claim.ts';
import {
  KEY_EXPIRED,
  KEY_UNUSED,
  keyValues,
  keyWritten,
  PROVIDER_KEY,
  providerKeyValues,
  type KeyRow,
} from '../engine/key.sql.ts';
import { fraudEvent } from '../engine/claim-events.sql.ts';

/** The end of a review: the decision, its author, and the operation that follows. */
export type ReviewClaim = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly decision: ReviewDecision;
  /** The author and the reason. The history keeps them for ever. Null values are left out. */
  readonly audit: Readonly<Record<string, string | null>>;
  /** The id of the capture or void that may follow. */
  readonly operationId: string;
  readonly mutation: string;
  readonly key: KeyRow | null;
  readonly historyId: string;
  readonly eventId: string;
  readonly environment: 'production' | 'sandbox';
  readonly now: Date;
  readonly leaseUntil: Date;
  /** The ids of the definitions with void. */
  readonly voiding: readonly string[];
};

const ALONE = `l.method = '${GIFT_CARDS_ALONE}'`;

/** The operation that follows: the intended capture, or the release of the authorisation. Null when nothing follows. */
const FOLLOWS = `CASE
  WHEN @decision = 'accept' THEN CASE l.intent WHEN 'capture' THEN 'capture' END
  WHEN l.authorized_amount + l.gift_card_amount > 0 AND (l.definition_id = ANY (@voiding) OR ${ALONE}) THEN 'void' END`;

/**
 * Condition: the statement sees the settled authorisation. A statement that waited for the settle sees the new
 * transaction row, and all other rows as they were before. Such a statement writes nothing, and the caller claims
 * again.
 */
const AUTHORIZATION_SEEN = `EXISTS (SELECT FROM operation o WHERE o.merchant_account_id = l.merchant_account_id
  AND o.transaction_id = l.id AND o.kind = 'authorize' AND o.status = 'succeeded')`;

/** The claim. `started` is the operation that follows, or else the unchanged authorisation. The key answers with `started`. */
const STATEMENT = prepare(
  'claim_review',
  `
  WITH locked AS (
    SELECT t.*, s.definition_id FROM transaction t
    JOIN payment_service s ON s.merchant_account_id = t.merchant_account_id AND s.id = t.payment_service_id
    WHERE t.merchant_account_id = @account AND t.id = @transaction FOR UPDATE OF t),
  allowed AS (
    SELECT l.*, ${FOLLOWS} AS follows FROM locked l
    WHERE l.fraud_review = 'pending' AND l.status = 'authorization_succeeded' AND NOT l.void_pending
      AND ${AUTHORIZATION_SEEN} AND ${KEY_UNUSED}),
  ${KEY_EXPIRED},
  resolved AS (
    UPDATE transaction t SET fraud_review = CASE @decision WHEN 'accept' THEN 'accepted' ELSE 'rejected' END,
      capture_pending_amount = CASE a.follows WHEN 'capture' THEN a.authorized_amount ELSE 0 END,
      capture_closed = a.follows IS NOT DISTINCT FROM 'capture', void_pending = a.follows IS NOT DISTINCT FROM 'void',
      updated_at = @now
    FROM allowed a WHERE ${rowOf('t', 'a')} RETURNING t.*),
  following AS (
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency,
      idempotency_key, provider_key, actor, lease_until, next_attempt_at, sent_at, created_at, updated_at)
    SELECT a.merchant_account_id, @operation::uuid, a.id, a.payment_service_id, a.follows, a.authorized_amount, a.currency,
      @key, ${PROVIDER_KEY}, ${ACTOR}::jsonb, @leaseUntil::timestamptz, @leaseUntil, @now, @now, @now
    FROM allowed a WHERE a.follows IS NOT NULL RETURNING *),
  started AS (
    SELECT f.* FROM following f
    UNION ALL
    SELECT o.* FROM allowed a JOIN operation o ON o.merchant_account_id = a.merchant_account_id AND o.transaction_id = a.id
      AND o.kind = 'authorize' AND o.status = 'succeeded'
    WHERE a.follows IS NULL),
  ${keyWritten(`CASE started.kind WHEN 'authorize' THEN (
    SELECT json_build_object('operation', row_to_json(started), 'transaction', row_to_json(r))::text FROM resolved r) END`)},
  history_written AS (
    INSERT INTO history_entry (merchant_account_id, id, transaction_id, name, context, actor, created_at)
    SELECT r.merchant_account_id, @historyId::uuid, r.id, 'anti-fraud-review-resolved',
      jsonb_strip_nulls(@audit::jsonb || jsonb_build_object('decision', @decision::text, 'operation_id', f.id,
        'anti_fraud_service_id', s.id, 'anti_fraud_service_display_name', s.display_name,
        'anti_fraud_service_definition_id', s.definition_id)), ${ACTOR}::jsonb, @now
    FROM resolved r
    JOIN anti_fraud_service s ON s.merchant_account_id = r.merchant_account_id AND s.id = r.anti_fraud_service_id
    LEFT JOIN following f ON true),
  ${fraudEvent('reviewed', 'resolved c')}
  SELECT row_to_json(o) AS operation, row_to_json(r) AS transaction, ${CONNECTION_COLUMNS} AS connection,
    NULL AS version, NULL AS "authorizationKey"
  FROM started o, resolved r
  JOIN payment_service s ON s.merchant_account_id = r.merchant_account_id AND s.id = r.payment_service_id
  WHERE ${ACTS}`,
);

/**
 * Ends an open review and claims the capture or void that follows, in one statement and one commit. The operation is
 * the capture or void, or the authorisation when nothing follows. Returns null when
 *
 * - no review is open, or the review opened only just now
 * - a release of the authorisation is under way
 * - the key was used
 *
 * When two requests bring one new key at once, the second fails with a unique violation and leaves nothing.
 */
export async function claimReview(db: Db, claim: ReviewClaim): Promise<Claim | null> {
  const [row] = await db.query<ClaimRow>(
    STATEMENT({
      account: claim.merchantAccountId,
      transaction: claim.transactionId,
      decision: claim.decision,
      audit: JSON.stringify(claim.audit),
      operation: claim.operationId,
      historyId: claim.historyId,
      eventA: claim.eventId,
      environment: claim.environment,
      now: claim.now,
      leaseUntil: claim.leaseUntil,
      voiding: claim.voiding,
      ...keyValues(claim.mutation, claim.key),
      ...providerKeyValues(claim.key),
    }),
  );
  return row ? toClaim(row) : null;
}

export type ReviewDecision = 'accept' | 'reject';
