import type { Db } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { InboundReview } from './inbound-review.ts';
import type { Transaction } from '../model/transaction.ts';
import { claimingOf } from '../notices/claim-notices.ts';
import { endingOf } from '../notices/end-notice.ts';
import { toTransaction, type JsonRow } from '../rows/rows.sql.ts';

const insertStatement = prepareFile(import.meta, 'insert-inbound-review.sql');

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
  prepareFile(import.meta, 'claim-inbound-reviews.sql'),
);

const findStatement = prepareFile(import.meta, 'match-inbound-review.sql');

/** Finds the transaction of a notice at its anti-fraud service, by our key or else by the third party's id. */
export async function findReviewed(
  db: Db,
  { merchantAccountId: account, antiFraudServiceId: service, notice: { key, reference } }: InboundReview,
): Promise<Transaction | null> {
  const [row] = await db.query<{ transaction: JsonRow }>(findStatement({ account, service, key, reference }));
  return row ? toTransaction(row.transaction) : null;
}

const parkStatement = prepareFile(import.meta, 'park-inbound-review.sql');

/** Parks a notice until its next attempt. The notice is due at once when the review has opened or ended since the claim. */
export async function parkReview(
  db: Db,
  { merchantAccountId, id, leaseUntil: held }: InboundReview,
  nextAttemptAt: Date,
): Promise<void> {
  await db.query(parkStatement({ account: merchantAccountId, id, held, nextAttemptAt }));
}

/** Ends a parked notice of a review. Writes the history entry in the same commit. */
export const endReview = endingOf(prepareFile(import.meta, 'end-inbound-review.sql'));
