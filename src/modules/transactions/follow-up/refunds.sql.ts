import type { Db } from '../../../platform/database/db.ts';
import { ACTOR, ACTS } from '../../../platform/database/acting.ts';
import { prepare, rowOf } from '../../../platform/database/statement.ts';
import { allocationOf } from './claim.sql.ts';
import type { Permit } from '../model/permit.ts';
import { approvedBy, permitValues, withinLimit } from './permit.sql.ts';
import { toClaim, type ClaimRow } from '../engine/claim.sql.ts';
import type { Claim } from '../engine/claim.ts';
import { CONNECTION_COLUMNS } from '../../payment-services/index.ts';
import { firstUnusedKey } from '../model/fragments.sql.ts';
import { KEY_EXPIRED, KEY_UNUSED, KEY_WRITTEN, keyValues, type KeyRow } from '../engine/key.sql.ts';

/**
 * One refund of a request, with its operation and its target. The payment method is the target when `redemptionId` is
 * null.
 */
export type NewRefund = {
  readonly operationId: string;
  readonly redemptionId: string | null;
  readonly amount: number;
  /** The keys that the refund may have at its provider. Empty without an idempotency key. */
  readonly providerKeys: readonly string[];
};

export type RefundsClaim = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  /** The refunds of the request. The first one carries the idempotency key. */
  readonly refunds: readonly [NewRefund, ...(readonly NewRefund[])];
  /** The statuses in which a refund may start. */
  readonly statuses: readonly string[];
  /** True to refund the payment method in spite of an open dispute. */
  readonly force: boolean;
  readonly mutation: string;
  readonly externalIdentifier: string | null;
  readonly reason: string | null;
  readonly key: KeyRow | null;
  readonly now: Date;
  readonly leaseUntil: Date;
  /** For a refund by a person. */
  readonly permit: Permit | undefined;
};

const STATEMENT = prepare(
  'claim_refunds',
  `
  WITH given AS (
    SELECT * FROM jsonb_to_recordset(@refunds::jsonb) AS g (operation uuid, redemption uuid, amount int, provider_keys uuid[])),
  locked AS (
    SELECT t.* FROM transaction t WHERE t.merchant_account_id = @account AND t.id = @transaction FOR UPDATE),
  cards AS (
    SELECT r.id FROM locked l
    JOIN given g ON g.redemption IS NOT NULL
    JOIN redemption r ON r.merchant_account_id = l.merchant_account_id AND r.id = g.redemption AND r.transaction_id = l.id
    WHERE r.status = 'succeeded' AND r.refunded_amount + r.refund_pending_amount + g.amount <= r.amount
    FOR NO KEY UPDATE OF r),
  permitted AS (
    SELECT l.*, m.on_method FROM locked l
    CROSS JOIN (SELECT coalesce(sum(amount) FILTER (WHERE redemption IS NULL), 0)::int AS on_method,
      sum(amount)::int AS whole FROM given) m
    WHERE l.status = ANY (@statuses)
      AND (m.on_method = 0 OR (@force OR l.open_disputes = 0)
        AND l.refunded_amount + l.refund_pending_amount + m.on_method <= l.captured_amount - l.dispute_lost_amount)
      AND (SELECT count(*) FROM cards) = (SELECT count(redemption) FROM given) AND ${KEY_UNUSED}
      AND ${withinLimit('m.whole')}),${approvedBy('@first::uuid')},
  ${KEY_EXPIRED},
  reserved AS (
    UPDATE transaction t SET refund_pending_amount = t.refund_pending_amount + a.on_method FROM allowed a
    WHERE ${rowOf('t', 'a')} RETURNING t.*),
  reserved_cards AS (
    UPDATE redemption r SET refund_pending_amount = r.refund_pending_amount + g.amount, updated_at = @now
    FROM given g, allowed a WHERE r.merchant_account_id = a.merchant_account_id AND r.id = g.redemption
    RETURNING r.id, r.payment_service_id),
  made AS (
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, amount, currency, redemption_id,
      batch_id, idempotency_key, provider_key, actor, external_identifier, reason, refund_captures, lease_until, next_attempt_at, sent_at, created_at, updated_at)
    SELECT a.merchant_account_id, g.operation, a.id, coalesce(c.payment_service_id, a.payment_service_id), 'refund', g.amount,
      a.currency, g.redemption, @first::uuid, CASE WHEN g.operation = @first THEN @key::text END,
      ${firstUnusedKey('g.provider_keys')}, ${ACTOR}::jsonb, @externalIdentifier, @reason,
      CASE WHEN g.redemption IS NULL THEN ${allocationOf('g.amount')} END,
      @leaseUntil, @leaseUntil, @now, @now, @now
    FROM allowed a CROSS JOIN given g LEFT JOIN reserved_cards c ON c.id = g.redemption RETURNING *),
  started AS (SELECT * FROM made WHERE id = @first),
  ${KEY_WRITTEN}
  SELECT row_to_json(o) AS operation, row_to_json(r) AS transaction, ${CONNECTION_COLUMNS} AS connection,
    NULL AS version, NULL AS "authorizationKey"
  FROM made o CROSS JOIN reserved r
  JOIN payment_service s ON s.merchant_account_id = r.merchant_account_id AND s.id = o.payment_service_id
  WHERE ${ACTS}
  ORDER BY o.id`,
);

/**
 * Locks the transaction and its redemptions, checks that all parts of the refund fit, and reserves them. Writes the
 * pending operations and the idempotency key. One statement, one commit. Returns an empty list when the parts do not
 * fit, or the key was used. When two claims bring one new key at once, the second fails with a unique violation and
 * leaves nothing.
 */
export async function claimRefunds(db: Db, claim: RefundsClaim): Promise<readonly Claim[]> {
  const rows = await db.query<ClaimRow>(
    STATEMENT({
      account: claim.merchantAccountId,
      transaction: claim.transactionId,
      refunds: JSON.stringify(
        claim.refunds.map(({ operationId: operation, redemptionId: redemption, amount, providerKeys }) => ({
          ...{ operation, redemption, amount, provider_keys: providerKeys },
        })),
      ),
      first: claim.refunds[0].operationId,
      statuses: claim.statuses,
      force: claim.force,
      externalIdentifier: claim.externalIdentifier,
      reason: claim.reason,
      now: claim.now,
      leaseUntil: claim.leaseUntil,
      ...keyValues(claim.mutation, claim.key),
      ...permitValues(claim.permit),
    }),
  );
  return rows.map(toClaim);
}
