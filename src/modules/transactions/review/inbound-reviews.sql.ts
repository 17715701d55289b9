import type { Db } from '../../../platform/database/db.ts';
import { prepare } from '../../../platform/database/statement.ts';
import type { InboundReview } from './inbound-review.ts';
import type { Transaction } from '../model/transaction.ts';
import { claimingOf } from '../notices/claim-notices.sql.ts';
import { endingOf } from '../notices/end-notice.sql.ts';
import { toTransaction, type JsonRow } from '../model/rows.sql.ts';

const insertStatement = prepare(
  'insert_inbound_review',
  `INSERT INTO inbound_review (merchant_account_id, id, anti_fraud_service_id, event_key, check_key, check_reference, notice,
     next_attempt_at, received_at)
   VALUES (@account, @id, @service, @eventKey, @key, @reference, @notice, @nextAttemptAt, @receivedAt)
   ON CONFLICT (merchant_account_id, anti_fraud_service_id, event_key) DO NOTHING RETURNING id`,
);

/** Stores a decision on a review. The caller owns the notice until the lease ends. False for a repeated notice. */
export async function insertReview(db: Db, review: InboundReview): Promise<boolean> {
  const { notice } = review;
  const rows = await db.query(
    insertStatement({
      account: review.merchantAccountId,
      id: review.id,
      service: review.antiFraudServiceId,
      eventKey: notice.eventKey,
      key: notice.key,
      reference: notice.reference,
      notice: JSON.stringify(notice),
      nextAttemptAt: review.leaseUntil,
      receivedAt: review.receivedAt,
    }),
  );
  return rows.length > 0;
}

/** Claims parked notices that are due, of every merchant account, oldest first. */
export const claimParkedReviews = claimingOf<InboundReview>(
  'inbound_review',
  'w.anti_fraud_service_id AS "antiFraudServiceId", w.next_attempt_at AS "leaseUntil"',
);

const findStatement = prepare(
  'match_inbound_review',
  `SELECT row_to_json(t) AS transaction FROM transaction t
   WHERE t.merchant_account_id = @account AND t.anti_fraud_service_id = @service AND t.id = coalesce(@key::uuid, (
     SELECT c.transaction_id FROM anti_fraud_check c WHERE c.merchant_account_id = @account
       AND c.anti_fraud_service_id = @service AND c.reference = @reference LIMIT 1))`,
);

/** Finds the transaction of a notice at its anti-fraud service, by our key or else by the third party's id. */
export async function findReviewed(
  db: Db,
  { merchantAccountId: account, antiFraudServiceId: service, notice: { key, reference } }: InboundReview,
): Promise<Transaction | null> {
  const [row] = await db.query<{ transaction: JsonRow }>(findStatement({ account, service, key, reference }));
  return row ? toTransaction(row.transaction) : null;
}

const parkStatement = prepare(
  'park_inbound_review',
  `UPDATE inbound_review SET next_attempt_at = @nextAttemptAt
   WHERE merchant_account_id = @account AND id = @id AND state = 'parked' AND next_attempt_at = @held`,
);

/** Parks a notice until its next attempt. The notice is due at once when the review has opened or ended since the claim. */
export async function parkReview(
  db: Db,
  { merchantAccountId, id, leaseUntil: held }: InboundReview,
  nextAttemptAt: Date,
): Promise<void> {
  await db.query(parkStatement({ account: merchantAccountId, id, held, nextAttemptAt }));
}

/** Ends a parked notice of a review. Writes the history entry in the same commit. */
export const endReview = endingOf({
  table: 'inbound_review',
  service: 'anti_fraud_service',
  entry: 'anti-fraud-webhook',
});
