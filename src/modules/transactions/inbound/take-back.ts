import type { App } from '../../../app.ts';
import type { Notice, NoticeOutcome } from '../../../connectors/notices/webhook.ts';
import { sameMoney } from '../../../kernel/money.ts';
import { makeOperationsDue } from '../claim/leases.sql.ts';
import { settle } from '../settle/settle.ts';
import type { TakenBack } from '../take-back/take-back-changes.ts';
import { reversalKeyOf } from '../take-back/take-back-rules.ts';
import { takeBack, type TakeBackResult } from '../take-back/take-back.ts';
import type { Operated, Operation } from '../model/operation.ts';
import { isSale, type Transaction } from '../model/transaction.ts';
import { resolveUnknown } from '../differences/differences.sql.ts';
import { isEarly, isOver } from '../notices/schedule.ts';
import { askIfHeld } from '../recovery/held.ts';
import { awaitMatch, awaitTurn } from '../inbound-end/await-match.ts';
import { subjectOf } from '../inbound-end/difference.ts';
import { end } from '../inbound-end/end.ts';
import { referenceOf } from '../inbound-end/outcome.ts';
import type { InboundWebhook } from '../notices/webhook.ts';

/** A notice that takes a success back. */
export type TakingBack = Notice & {
  readonly outcome: Extract<NoticeOutcome, { readonly kind: 'reversed' | 'expired' }>;
};

export const isTakingBack = (notice: Notice): notice is TakingBack =>
  notice.outcome.kind === 'reversed' || notice.outcome.kind === 'expired';

/**
 * Books a reversal or an expiry, and ends the webhook. Commits the booking, then the end of the webhook. After a crash
 * between, the next run finds the booking and ends the webhook. A webhook about an undecided operation waits.
 * `learned`: the operation got its provider's id from the webhook.
 */
export async function applyTakeBack(
  app: App,
  webhook: InboundWebhook,
  { notice, operated, learned }: { notice: TakingBack; operated: Operated; learned: boolean },
): Promise<void> {
  const result = await takeBackSurely(app, operated.operation, reportOf(notice));
  if (result.kind === 'waits') return wait(app, webhook, notice, result);
  if (result.kind === 'asks') return askAgain(app, webhook, result);
  if (!isEarly(app.clock.now(), webhook.waitsSince)) await resolveListed(app, webhook, result.transaction);
  return end(app, webhook, { ...result, changed: result.changed || learned });
}

/** Ends the difference that listed the report while its operation was unknown. Commits at most once. */
const resolveListed = (
  app: App,
  { merchantAccountId, paymentServiceId, notice }: InboundWebhook,
  { id: transactionId }: Transaction,
): Promise<void> =>
  resolveUnknown(app.db, {
    ...{ merchantAccountId, paymentServiceId, transactionId },
    ...{ subject: subjectOf(notice), now: app.clock.now() },
  });

/** Asks the provider when the report alone does not tell whether a renewed authorisation has expired. */
async function takeBackSurely(app: App, operation: Operation, report: TakenBack): Promise<TakeBackResult> {
  const result = await takeBack(app, operation, report);
  if (result.kind !== 'asks' || report.kind !== 'expired') return result;
  const held = await askIfHeld(app, result);
  if (held === null) return result;
  if (held) return { ...result, kind: 'decided', changed: false, finding: 'before_renewal' };
  // A renewal meanwhile is not in the answer. The provider is then asked again.
  return takeBack(app, operation, { ...report, ofRenewal: result.transaction.reauthorizedAt });
}

/** Parks the webhook until the provider tells whether the authorisation still holds its money, at most for seven days. */
function askAgain(app: App, webhook: InboundWebhook, operated: Operated): Promise<void> {
  const now = app.clock.now();
  return isOver(now, webhook.waitsSince)
    ? end(app, webhook, { ...operated, finding: 'undecided', isOver: true })
    : awaitMatch(app, webhook, now);
}

function reportOf({ outcome, eventKey, occurredAt }: TakingBack): TakenBack {
  if (outcome.kind === 'expired') return { ...outcome, at: outcome.ofOne ? null : occurredAt };
  return { ...outcome, key: reversalKeyOf(outcome.reversalReference ?? null, eventKey) };
}

/**
 * Waits for the outcome of the operation, and lets the provider be asked at once. After an hour, the report itself
 * decides: an operation that is taken back as a whole has failed.
 */
async function wait(
  app: App,
  webhook: InboundWebhook,
  notice: TakingBack,
  operated: Operated,
): Promise<void> {
  const now = app.clock.now();
  const { receivedAt, waitsSince } = webhook;
  const { transaction, operation } = operated;
  if (decidesItself(operated, notice, { now, receivedAt, waitsSince })) {
    const settled = await settle(app, operated, failureOf(notice, operation));
    if (settled.changed) return end(app, webhook, { ...settled, finding: null });
    return awaitTurn(app, webhook, now);
  }
  if (isOver(now, waitsSince)) return end(app, webhook, { ...operated, finding: 'undecided', isOver: true });
  const waitsFor = operation.kind === 'refund' ? 'refund' : 'capture';
  await makeOperationsDue(app.db, transaction, waitsFor, now);
  return awaitMatch(app, webhook, now);
}

type Moments = Pick<InboundWebhook, 'receivedAt' | 'waitsSince'> & { readonly now: Date };

/**
 * True when the report decides an operation without an outcome. A report from before the last sending says nothing about
 * that sending. The expiry of a sale's authorisation says nothing about its capture.
 */
function decidesItself(
  { operation, transaction }: Operated,
  { outcome }: TakingBack,
  { now, receivedAt, waitsSince }: Moments,
): boolean {
  if (operation.status !== 'pending' || operation.sentAt > receivedAt) return false;
  if (isEarly(now, waitsSince)) return false;
  if (outcome.kind === 'expired') return !isSale(transaction);
  return outcome.money === null || sameMoney(outcome.money, operation);
}

const failureOf = (notice: TakingBack, operation: Operation) => {
  const { outcome } = notice;
  return {
    kind: 'failed',
    reference: referenceOf(notice, operation),
    errorCode: outcome.kind === 'reversed' ? outcome.errorCode : 'expired_authorization',
    rawResponseCode: outcome.rawResponseCode,
    rawResponseDescription: outcome.rawResponseDescription,
  } as const;
};
