import { z } from 'zod';
import type { App, Viewer } from '../../../app.ts';
import { notFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { SQLSTATE, sqlState } from '../../../platform/db.ts';
import { refuseKey, fingerprintOf } from '../../idempotency/index.ts';
import { isUuid } from '../../../platform/ids.ts';
import { text } from '../../../platform/text.ts';
import { parseInput } from '../../../platform/validate.ts';
import { definitionsWith } from '../../payment-services/index.ts';
import { carryOut } from '../authorize/carry-out.ts';
import { CLAIMS_MAX, type Answer } from '../follow-up/follow-up.ts';
import { RESOLVE_REVIEW } from '../model/operation.ts';
import type { ReviewNotPending, ReviewRefusal } from '../model/refusals.ts';
import { keyRow, replay, type MoneyKey } from '../engine/replay.ts';
import { leaseOf } from '../engine/schedule.ts';
import type { Operated } from '../engine/settle.ts';
import type { Claimed } from '../follow-up/claim.sql.ts';
import { readTransactions } from '../model/read.sql.ts';
import { claimReview } from './review.sql.ts';
import type { Transaction } from '../model/transaction.ts';

const resolveReviewInput = z.object({
  decision: z.enum(['accept', 'reject']),
  comment: text(1, 500)
    .nullish()
    .transform((comment) => comment ?? null),
});

export type ReviewDecision = 'accept' | 'reject';

/** Which review ends how, and who says so. */
export type ReviewEnd = {
  readonly merchantAccountId: string;
  readonly transactionId: string;
  readonly decision: ReviewDecision;
  readonly audit: Readonly<Record<string, string | null>>;
  readonly key: MoneyKey | null;
};

/**
 * Ends the review of an authorised payment: accepted, what was intended to be captured is; rejected, what is authorised is
 * released. Commits the end of the review with the pending capture or void, then its outcome: a crash between leaves that to
 * reconciliation. The operation of the answer is that one, or the authorisation when nothing follows. Refuses when no review is
 * open: of all who decide it, the first counts. A refusal changes nothing, calls nobody and uses no key up.
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
  const { merchantAccountId, apiKeyPairId } = viewer;
  const audit = { source: 'merchant', comment, api_key_pair_id: apiKeyPairId };
  const key = moneyKey(transactionId, checked.value, idempotencyKey);
  const end = { merchantAccountId, transactionId, decision, audit, key };
  for (let claims = 0; claims < CLAIMS_MAX; claims++) {
    const claimed = await claimReviewEnd(app, end);
    if (claimed) return ok({ ...(await follow(app, claimed)), replayed: false });
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

/** Commits how a review ends, with what follows; null when it is not open, or the key was used. */
export async function claimReviewEnd(app: App, { key, ...end }: ReviewEnd): Promise<Claimed | null> {
  const now = app.clock.now();
  try {
    return await claimReview(app.db, {
      ...end,
      operationId: app.ids.uuid(),
      mutation: RESOLVE_REVIEW,
      key: key && keyRow(key, now),
      historyId: app.ids.uuid(),
      eventId: app.ids.uuid(),
      environment: app.config.production ? 'production' : 'sandbox',
      now,
      leaseUntil: leaseOf(app, now),
      voiding: definitionsWith(app, 'void'),
    });
  } catch (error) {
    // As every claim: another one was first, or has changed the row since; this one has left nothing.
    const code = sqlState(error);
    if (code === SQLSTATE.uniqueViolation || code === SQLSTATE.checkViolation) return null;
    throw error;
  }
}

/** Carries out what follows a review; the same when nothing does. */
export async function follow(app: App, claimed: Claimed): Promise<Operated> {
  app.wakeRelay();
  if (claimed.operation.kind === 'authorize') return claimed;
  return carryOut(app, { ...claimed, card: null, token: null, alternatives: [] });
}

/** Why there was no claim; null when by now there is no reason any more. */
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

/** Whether a review can be decided: null is yes. The claim statement asks the same of the locked row. */
export const decideReview = ({
  status,
  voidPending,
  fraudReview: review,
}: Pick<Transaction, 'status' | 'voidPending' | 'fraudReview'>): ReviewNotPending | null =>
  review === 'pending' && status === 'authorization_succeeded' && !voidPending
    ? null
    : { kind: 'ReviewNotPending', review };
