import { authorOf } from '../../accounts/index.ts';
import { environmentOf } from '../../../platform/process/config.ts';
import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import { notFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { SQLSTATE, sqlState } from '../../../platform/database/db.ts';
import { refuseKey, fingerprintOf } from '../../idempotency/index.ts';
import { isUuid } from '../../../platform/ids.ts';
import { text } from '../../../platform/input/text.ts';
import { parseInput } from '../../../platform/input/validate.ts';
import { definitionsWith, leaseOf } from '../../payment-services/index.ts';
import { CLAIMS_MAX, runFollowUp } from '../follow-up/follow-up.ts';
import { unlessHeld } from '../hold/held-back.ts';
import { type Answer, keyRow, replay, type MoneyKey } from '../claim/replay.ts';
import { RESOLVE_REVIEW, type Operated } from '../model/operation.ts';
import type { ReviewNotPending, ReviewRefusal } from '../model/refusals.ts';
import type { Claim } from '../claim/claim.ts';
import { readTransactions } from '../rows/read.sql.ts';
import { claimReview, type ReviewDecision } from './review.sql.ts';
import type { Transaction } from '../model/transaction.ts';

const resolveReviewInput = z.object({
  decision: z.enum(['accept', 'reject']),
  comment: text(1, 500)
    .nullish()
    .transform((comment) => comment ?? null),
});

/** The decision on a review and its author. */
export type ReviewEnd = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly decision: ReviewDecision;
  readonly audit: Readonly<Record<string, string | null>>;
  readonly key: MoneyKey | null;
};

/**
 * Ends the review of an authorised payment. An accepted payment gets its intended capture. A rejected payment is
 * voided. Commits the end of the review with the pending capture or void, then the outcome. After a crash between,
 * reconciliation goes on. The answer's operation is the capture or void, or the authorisation when nothing follows.
 * Refuses when no review is open, because the first decision counts. A refusal changes nothing, calls no provider and
 * uses no key.
 */
export async function resolveReview(
  app: App,
  viewer: Viewer,
  transactionId: string,
  given: unknown,
  idempotencyKey: string | null | undefined,
): Promise<Result<Answer, ReviewRefusal>> {
  const badKey = refuseKey(idempotencyKey);
  if (badKey) return refuse(badKey);
  const checked = parseInput(resolveReviewInput, given);
  if (!checked.ok) return checked;
  if (!isUuid(transactionId)) return refuse(notFound('transaction'));
  const { decision, comment } = checked.value;
  const { merchantAccountId } = viewer;
  const audit = { source: 'merchant', comment, ...authorOf(viewer) };
  const key = moneyKey(transactionId, checked.value, idempotencyKey);
  const end = { merchantAccountId, transactionId, decision, audit, key };
  for (let claims = 0; claims < CLAIMS_MAX; claims++) {
    const claimed = await unlessHeld(claimReviewEnd(app, end));
    if (!claimed.ok) return claimed;
    if (claimed.value) return ok({ ...(await follow(app, claimed.value)), replayed: false });
    const explained = await explain(app, viewer, end);
    if (explained) return explained;
  }
  return refuse({ kind: 'IdempotencyInProgress', retryAfterMs: 1_000 });
}

const moneyKey = (
  id: string,
  input: z.output<typeof resolveReviewInput>,
  key: string | null | undefined,
): MoneyKey | null =>
  key == null
    ? null
    : { mutation: RESOLVE_REVIEW, key, fingerprint: fingerprintOf({ id: id.toLowerCase(), input }) };

/** Commits the end of a review with the operation that follows. Null when the review is not open, or the key was used. */
export async function claimReviewEnd(app: App, { key, ...end }: ReviewEnd): Promise<Claim | null> {
  const now = app.clock.now();
  try {
    return await claimReview(app.db, {
      ...end,
      operationId: app.ids.uuid(),
      mutation: RESOLVE_REVIEW,
      key: key && (await keyRow(app, end.merchantAccountId, key, { now })),
      historyId: app.ids.uuid(),
      eventId: app.ids.uuid(),
      environment: environmentOf(app.config),
      now,
      leaseUntil: leaseOf(app, now),
      voiding: definitionsWith(app, 'void'),
    });
  } catch (error) {
    // Another claim was first, or changed the row meanwhile. This claim has left nothing.
    const code = sqlState(error);
    if (code === SQLSTATE.uniqueViolation || code === SQLSTATE.checkViolation) return null;
    throw error;
  }
}

/** Runs the capture or void that follows a review. Returns the claim unchanged when nothing follows. */
export async function follow(app: App, claimed: Claim): Promise<Operated> {
  app.wakeRelay();
  if (claimed.operation.kind === 'authorize') return claimed;
  return runFollowUp(app, claimed);
}

/** Returns the reason why there was no claim, or null when the reason is gone. */
async function explain(
  app: App,
  viewer: Viewer,
  { merchantAccountId, transactionId, key }: ReviewEnd,
): Promise<Result<Answer, ReviewRefusal> | null> {
  const replayed = key && (await replay(app, viewer, key));
  if (replayed) return replayed.ok ? ok({ ...replayed.value, replayed: true }) : replayed;
  const [transaction] = await readTransactions(app.db, merchantAccountId, [transactionId]);
  if (!transaction) return refuse(notFound('transaction'));
  const refusal = decideReview(transaction);
  return refusal && refuse(refusal);
}

/** Refuses a review that cannot be decided, or returns null. The claim statement checks the same on the locked row. */
export const decideReview = ({
  status,
  voidPending,
  fraudReview: review,
}: Pick<Transaction, 'status' | 'voidPending' | 'fraudReview'>): ReviewNotPending | null =>
  review === 'pending' && status === 'authorization_succeeded' && !voidPending
    ? null
    : { kind: 'ReviewNotPending', review };
