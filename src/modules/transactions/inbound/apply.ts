import { actingAs } from '../../../platform/database/acting.ts';
import type { App } from '../../../app.ts';
import { isDisputeNotice } from '../../../connectors/notices/disputes.ts';
import { isStoredMethodNotice } from '../../../connectors/notices/stored-methods.ts';
import type { Notice } from '../../../connectors/notices/webhook.ts';
import { sameMoney } from '../../../kernel/money.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { linkTo } from '../../../platform/tracing/trace.ts';
import type { Operation, Operated, OperationKind } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import type { AcceptedOutcome, FinalOutcome } from '../model/outcome.ts';
import { settle } from '../settle/settle.ts';
import { makeOperationsDue } from '../claim/leases.sql.ts';
import { applyApproval, isApproval } from './approval.ts';
import { parkWebhook } from '../inbound-end/inbound.sql.ts';
import { findSubject } from '../inbound-match/subject.ts';
import { reportDifference } from '../inbound-end/difference.ts';
import { end, type Finding } from '../inbound-end/end.ts';
import { applyLateApproval, isLateApproval } from './late-approval.ts';
import { learnReference } from '../inbound-match/learn.sql.ts';
import { matchOf, type Match, type Matched } from '../inbound-match/match.ts';
import { outcomeOf, type DecidingNotice } from '../inbound-end/outcome.ts';
import { applyTakeBack, isTakingBack } from './take-back.ts';
import { openToken } from '../notices/sealed-token.ts';
import { storeToken } from './store-recurring-token.ts';
import { applyDispute } from './dispute.ts';
import { applyElsewhere, isOurs } from './apply-elsewhere.ts';
import { isMadeElsewhere } from '../inbound-end/read-made-elsewhere.ts';
import { applyStoredMethod } from './stored-method.ts';
import { expire } from '../inbound-end/expire.ts';
import { awaitMatch, awaitTurn } from '../inbound-end/await-match.ts';
import type { InboundWebhook, StoredWebhook } from '../notices/webhook.ts';
import { isEarly, isOver, turnUntil } from '../notices/schedule.ts';
import { done, type Applied } from '../notices/turns.ts';

/**
 * Applies a provider's webhook through the usual settle. An ended operation stays as it is.
 *
 * - A matched webhook gets one entry in the transaction's history. An unmatched webhook stays parked.
 * - While another process waits for the provider's answer on the operation, that answer goes first.
 * - Older webhooks of the operation go first.
 *
 * Commits the outcome, then the end of the webhook. After a crash between, the webhook is still parked. Its next run finds the
 * operation ended, and ends the webhook as one without a change. Returns `behind` when an older webhook goes first.
 */
export async function applyWebhook(given: App, webhook: StoredWebhook): Promise<Applied> {
  const app = actingAs(given, { kind: 'provider', id: webhook.paymentServiceId });
  const { notice, receivedAt } = webhook;
  // The end of its operation wakes a webhook, also one of a simulated provider before its time.
  if (receivedAt > app.clock.now())
    return done(
      parkWebhook(app.db, webhook, { nextAttemptAt: receivedAt, turnUntil: turnUntil(receivedAt) }),
    );
  if (isDisputeNotice(notice)) return done(applyDispute(app, { ...webhook, notice }));
  return isStoredMethodNotice(notice)
    ? done(applyStoredMethod(app, { ...webhook, notice }))
    : applyNotice(app, { ...webhook, notice });
}

async function applyNotice(app: App, webhook: InboundWebhook): Promise<Applied> {
  const now = app.clock.now();
  // Money that moved is never forgotten. Its report about a known payment ends with an entry in the history.
  const hasMoved = isTakingBack(webhook.notice) || isMadeElsewhere(webhook.notice);
  if (isOver(now, webhook.waitsSince) && !hasMoved) return done(expire(app, webhook, now));
  const match = matchOf(await findSubject(app, webhook), webhook);
  if (match.kind === 'operation') linkTo(match.operation.actor?.traceparent);
  await failpoint('inbound.matched');
  if (match.kind === 'operation' || (match.kind === 'unsure' && (await isOurs(app, webhook, match))))
    return applyInTurn(app, webhook, match);
  return done(applyUnmatched(app, webhook, match));
}

/** Applies a notice that is about none of our operations, or about one that is not known yet. */
async function applyUnmatched(app: App, webhook: InboundWebhook, match: Unmatched): Promise<void> {
  const now = app.clock.now();
  switch (match.kind) {
    case 'nothing':
      if (isOver(now, webhook.waitsSince)) return expire(app, webhook, now);
      return awaitMatch(app, webhook, now);
    case 'foreign':
      if (isMadeElsewhere(webhook.notice)) return applyElsewhere(app, webhook, match.transaction);
      if (isTakingBack(webhook.notice) && !isOver(now, webhook.waitsSince))
        return awaitSuccess(app, webhook, match.transaction, now);
      if (isNamedEarly(webhook, now) && isUnderWay(match.transaction, webhook.notice.verb)) {
        await makeOperationsDue(app.db, match.transaction, webhook.notice.verb, now);
        return awaitMatch(app, webhook, now);
      }
      return end(app, webhook, { ...match, finding: 'unknown_operation' });
    case 'several':
      await makeOperationsDue(app.db, match.transaction, webhook.notice.verb, now);
      if (isNamedEarly(webhook, now)) return awaitMatch(app, webhook, now);
      return end(app, webhook, { ...match, finding: 'several_operations' });
    case 'unsure':
      if (isMadeElsewhere(webhook.notice)) return applyElsewhere(app, webhook, match.transaction);
      await makeOperationsDue(app.db, match.transaction, webhook.notice.verb, now);
      return awaitMatch(app, webhook, now);
  }
}

type Unmatched = Exclude<Match, { readonly kind: 'operation' }>;

/**
 * Waits for the answer or the report that tells which operation a reversal or an expiry is about. The success may come days
 * later. People see the report after an hour.
 */
async function awaitSuccess(
  app: App,
  webhook: InboundWebhook,
  transaction: Transaction,
  now: Date,
): Promise<void> {
  if (!isEarly(now, webhook.waitsSince))
    await reportDifference(app, webhook, { transaction, finding: 'unknown_operation' });
  await awaitMatch(app, webhook, now);
}

/** True while the answers of several operations may still tell which one has the provider's id of the notice. */
const isNamedEarly = (webhook: InboundWebhook, now: Date): boolean =>
  (webhook.notice.reference !== null || isTakingBack(webhook.notice)) && isEarly(now, webhook.waitsSince);

/** True while an operation of the verb is pending. The clock of its process may have been ahead of the clock of this one. */
const isUnderWay = (transaction: Transaction, verb: Notice['verb']): boolean => UNDER_WAY[verb](transaction);

const UNDER_WAY: Readonly<Record<Notice['verb'], (transaction: Transaction) => boolean>> = {
  authorize: ({ status }) => status === 'processing' || status === 'buyer_approval_pending',
  increase: ({ increasePendingAmount }) => increasePendingAmount > 0,
  reauthorize: ({ reauthorizePending }) => reauthorizePending,
  capture: ({ capturePendingAmount }) => capturePendingAmount > 0,
  refund: ({ refundPendingAmount }) => refundPendingAmount > 0,
  void: ({ voidPending }) => voidPending,
  cancel: ({ voidPending }) => voidPending,
};

/** Applies a webhook to its operation, after the operation's older webhooks and after an answer under way. */
async function applyInTurn(
  app: App,
  webhook: InboundWebhook,
  { isBehind, ...operated }: Matched,
): Promise<Applied> {
  const now = app.clock.now();
  const { status, leaseUntil } = operated.operation;
  const isAsked = status === 'pending' && leaseUntil !== null && leaseUntil > now;
  if (!isAsked && !isBehind) return done(applyTo(app, webhook, operated));
  await awaitTurn(app, webhook, now);
  return isBehind ? 'behind' : 'done';
}

/** True for a word about the rest that the booking of a capture made elsewhere did not have. */
const isLastCapture = ({ operation, transaction }: Operated, notice: Notice): boolean =>
  operation.kind === 'capture' &&
  operation.origin === 'provider' &&
  operation.status === 'succeeded' &&
  !transaction.captureClosed &&
  notice.final === true &&
  isMadeElsewhere(notice);

async function applyTo(app: App, webhook: InboundWebhook, operated: Operated): Promise<void> {
  const { operation, transaction } = operated;
  const { notice } = webhook;
  const now = app.clock.now();
  const learned = await learn(app, notice, operation);
  if (isTakingBack(notice)) return applyTakeBack(app, webhook, { notice, operated, learned });
  if (!isDeciding(notice)) return applyToken(app, webhook, operated);
  if (isApproval(notice) && operation.status === 'pending') return applyApproval(app, webhook, operated);
  if (isLateApproval(operation, notice)) return applyLateApproval(app, webhook, { notice, operated });
  if (isLastCapture(operated, notice)) return applyElsewhere(app, webhook, transaction);
  const mismatch = mismatchOf(operated, webhook);
  if (mismatch === 'sent_again' || mismatch === 'no_reference') {
    await makeOperationsDue(app.db, transaction, operation.kind, now);
    return end(app, webhook, { transaction, operation, finding: mismatch });
  }
  if (operation.status !== 'pending' || (notice.outcome.kind === 'accepted' && operation.acceptedAt)) {
    const changed = await storeToken(app, webhook, operated);
    return end(app, webhook, {
      ...{ ...operated, changed: changed || learned },
      finding: contradiction(operation, notice),
    });
  }
  const outcome = mismatch ? UNSURE : await withToken(app, webhook, outcomeOf(notice, operation));
  const settled = await settle(app, operated, outcome);
  await failpoint('inbound.settled');
  const finding = mismatch ?? (settled.changed ? null : contradiction(settled.operation, notice));
  return end(app, webhook, { ...settled, finding });
}

const UNSURE = { kind: 'unknown', cause: 'unreadable' } as const;

const isDeciding = (notice: Notice): notice is DecidingNotice =>
  notice.outcome.kind !== 'token_created' && !isTakingBack(notice);

const LEARNS: ReadonlySet<OperationKind> = new Set(['increase', 'reauthorize', 'capture', 'refund', 'void']);

/** Learns the provider's id of an ended operation. A pending one gets its id with its outcome. */
const learn = async (app: App, { reference }: Notice, operation: Operation): Promise<boolean> =>
  reference !== null &&
  LEARNS.has(operation.kind) &&
  operation.status !== 'pending' &&
  operation.providerReference !== reference &&
  (await learnReference(app.db, operation, reference, app.clock.now()));

/** Adds the token to a success. The webhook's row stores the token apart. */
async function withToken<Answer extends FinalOutcome | AcceptedOutcome>(
  app: App,
  webhook: InboundWebhook,
  reported: Answer,
): Promise<Answer> {
  return reported.kind === 'succeeded'
    ? { ...reported, recurringToken: await openToken(app, webhook) }
    : reported;
}

/** Applies a token. A token says nothing about the payment, so a token waits until the payment is decided. */
async function applyToken(app: App, webhook: InboundWebhook, operated: Operated): Promise<void> {
  const { operation } = operated;
  const now = app.clock.now();
  if (operation.status === 'pending') return awaitMatch(app, webhook, now);
  const changed = await storeToken(app, webhook, operated);
  const finding = operation.status === 'succeeded' ? null : 'contradicts';
  return end(app, webhook, { ...operated, changed, finding });
}

/** Returns the mismatch of a notice of a pending operation, or null. */
function mismatchOf(
  { operation, transaction }: Operated,
  { notice, receivedAt }: InboundWebhook,
): Finding | null {
  const { outcome, paymentReference, reference, total } = notice;
  if (operation.status !== 'pending') return null;
  if (total && !sameMoney(total, totalOf(operation, transaction))) return 'other_money';
  if (outcome.kind === 'succeeded' && outcome.money && !sameMoney(outcome.money, operation))
    return 'other_money';
  const isRefusal = outcome.kind === 'declined' || outcome.kind === 'failed';
  if (isRefusal && !outcome.holdsForRepeats && operation.sentAt > receivedAt) return 'sent_again';
  const known = reference ?? paymentReference ?? operation.providerReference;
  return operation.kind === 'authorize' && !isRefusal && known === null ? 'no_reference' : null;
}

/** Returns the authorised amount after the success of an increase. */
const totalOf = ({ amount, currency }: Operation, { authorizedAmount }: Transaction) => ({
  amount: authorizedAmount + amount,
  currency,
});

/** Returns `contradicts` for a success against a refusal, or the reverse. An acceptance contradicts no outcome. */
function contradiction({ status }: Operation, { outcome: { kind } }: DecidingNotice): Finding | null {
  if (kind === 'accepted') return null;
  if (status === 'pending') return 'unexpected_state';
  return (kind === 'succeeded') === (status === 'succeeded') ? null : 'contradicts';
}
