import { actingAs } from '../../../platform/database/acting.ts';
import type { App } from '../../../app.ts';
import type { ReviewNotice } from '../../../connectors/anti-fraud/connector.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { nextLookAtHold, unlessHeld } from '../hold/held-back.ts';
import { applierOf } from '../notices/applier.ts';
import { nextMatchAt, isOver } from '../notices/schedule.ts';
import { done } from '../notices/turns.ts';
import { claimParkedReviews, endReview, findReviewed, parkReview } from './inbound-reviews.sql.ts';
import { hasEndedInVain, type Transaction } from '../model/transaction.ts';
import type { InboundReview } from './inbound-review.ts';
import { claimReviewEnd, follow } from './review.ts';

/** The reason why a matched notice changed nothing. History and log show the reason. */
type Finding =
  /** The review has ended with the other decision. */
  | 'contradicts'
  /** The payment had no review. */
  | 'no_review';

/**
 * Applies a third party's decision on a review, as resolveReview does. The first decision counts. A notice stays parked
 * before the review is open, and during a release of the authorisation. Commits the end of the review, then the end of
 * the notice. After a crash between, the notice is still parked. Its next run finds the review ended with the same
 * decision. The capture or void runs last.
 */
async function applyReview(given: App, review: InboundReview): Promise<void> {
  const app = actingAs(given, { kind: 'provider', id: review.antiFraudServiceId });
  const now = app.clock.now();
  const transaction = await findReviewed(app.db, review);
  await failpoint('inbound-review.matched');
  if (!transaction || isYetToCome(transaction))
    return isOver(now, review.receivedAt)
      ? expire(app, review, now)
      : parkReview(app.db, review, nextMatchAt(now, review.receivedAt));
  const isOpen = transaction.fraudReview === 'pending';
  const resolved = isOpen ? await unlessHeld(resolve(app, review, transaction)) : null;
  // The capture or void of the decision waits for the end of the hold, however long that takes.
  if (resolved?.ok === false) return parkReview(app.db, review, nextLookAtHold(now));
  const claimed = resolved?.value ?? null;
  // Another caller has decided the review, or has begun a release, since this read.
  if (isOpen && !claimed) return parkReview(app.db, review, now);
  await failpoint('inbound-review.resolved');
  await end(app, review, { transaction, changed: claimed !== null });
  if (claimed) await follow(app, claimed);
}

/** True when the review may open later, or may go on after a refused release. */
const isYetToCome = (transaction: Transaction): boolean =>
  transaction.fraudReview === 'pending'
    ? transaction.voidPending
    : transaction.fraudReview === null && mayBeReviewed(transaction);

const mayBeReviewed = (transaction: Transaction): boolean => {
  const { antiFraudDecision } = transaction;
  return (antiFraudDecision === 'pending' || antiFraudDecision === 'review') && !hasEndedInVain(transaction);
};

const resolve = (
  app: App,
  { merchantAccountId, notice }: InboundReview,
  { id: transactionId }: Transaction,
) => {
  const { decision, comment, eventKey } = notice;
  const audit = { source: 'webhook', comment, webhook_event_id: eventKey };
  return claimReviewEnd(app, { merchantAccountId, transactionId, decision, audit, key: null });
};

type Ended = { readonly transaction: Transaction; readonly changed: boolean };

async function end(app: App, review: InboundReview, { transaction, changed }: Ended): Promise<void> {
  const { notice, merchantAccountId, antiFraudServiceId } = review;
  const finding = changed ? null : findingOf(notice, transaction);
  const hasEnded = await endReview(app.db, review, {
    state: changed ? 'applied' : 'ignored',
    now: app.clock.now(),
    history: {
      transactionId: transaction.id,
      historyId: app.ids.uuid(),
      context: {
        decision: notice.decision,
        comment: notice.comment,
        interface_version: notice.interfaceVersion,
        webhook_event_id: notice.eventKey,
        anti_fraud_check_id: notice.reference,
        occurred_at: notice.occurredAt?.toISOString(),
        changed,
        finding,
      },
    },
  });
  await failpoint('inbound-review.applied');
  if (!hasEnded || finding === null) return;
  const about = { merchantAccountId, antiFraudServiceId, transactionId: transaction.id };
  app.log.warn({ ...about, notified: notice.decision, finding }, 'A webhook does not fit what is recorded.');
}

/** Returns the finding of a decision. A released or never authorised payment counts as rejected. */
function findingOf(
  { decision }: ReviewNotice,
  { fraudReview, antiFraudDecision }: Transaction,
): Finding | null {
  if (antiFraudDecision !== 'review') return 'no_review';
  const recorded = fraudReview === 'accepted' ? 'accept' : 'reject';
  return decision === recorded ? null : 'contradicts';
}

async function expire(app: App, review: InboundReview, now: Date): Promise<void> {
  await endReview(app.db, review, { state: 'expired', now, history: null });
  const { merchantAccountId, antiFraudServiceId } = review;
  app.log.info(
    { merchantAccountId, antiFraudServiceId },
    'A webhook was about no review that is known here.',
  );
}

/** Returns one text for notices that name the same check by the same name. */
const checkNameOf = ({ merchantAccountId, antiFraudServiceId, notice }: InboundReview): string =>
  JSON.stringify([merchantAccountId, antiFraudServiceId, notice.key ?? notice.reference]);

/** The applier of review decisions from third parties. */
export const { applyDue: applyDueReviews, applyReceived: applyReceivedReviews } = applierOf({
  claim: claimParkedReviews,
  apply: (app, review) => done(applyReview(app, review)),
  subject: checkNameOf,
  about: ({ id: reviewId }) => ({ reviewId }),
  failed: 'A review could not be applied; it is tried again.',
});
