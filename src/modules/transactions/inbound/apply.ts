import type { App } from '../../../app.ts';
import type { Notice } from '../../../connectors/webhook.ts';
import { sameMoney } from '../../../kernel/money.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import type { Operation, Operated } from '../model/operation.ts';
import type { AcceptedOutcome, FinalOutcome } from '../model/outcome.ts';
import { settle } from '../engine/settle.ts';
import { retryTransactionNow } from '../engine/leases.sql.ts';
import { endWebhook, parkWebhook } from './inbound.sql.ts';
import { findMatch } from './match.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import { matchOf } from './match.ts';
import { outcomeOf, type DecidingNotice } from './outcome.ts';
import { storeToken, openToken } from './token.ts';
import type { InboundWebhook } from './webhook.ts';
import { whenFree, nextMatchAt, isOver } from '../notices/schedule.ts';

/** The reason why a matched webhook changed nothing. History and log show the reason. */
type Finding =
  /** The operation has ended with another outcome. */
  | 'contradicts'
  /** The webhook names another amount or currency than the operation. */
  | 'other_money'
  /** The transaction's status allows no such change. */
  | 'unexpected_state'
  /** Several operations match the webhook. */
  | 'several_operations'
  /** No operation here matches the webhook. */
  | 'unknown_operation'
  /** The refusal came before the operation was sent again, so another attempt is under way. */
  | 'sent_again'
  /** The webhook approves a payment without naming the payment's id. */
  | 'no_reference';

/**
 * Applies a provider's webhook through the usual settle. An ended operation stays as it is.
 *
 * - A matched webhook gets one entry in the transaction's history. An unmatched webhook stays parked.
 * - While another process waits for the provider's answer on the operation, that answer goes first.
 *
 * Commits the outcome, then the end of the webhook. After a crash between, the webhook is still parked. Its next run finds the
 * operation ended, and ends the webhook as one without a change.
 */
export async function applyWebhook(app: App, webhook: InboundWebhook): Promise<void> {
  const now = app.clock.now();
  if (isOver(now, webhook.receivedAt)) return expire(app, webhook, now);
  const match = matchOf(await findMatch(app.db, webhook), webhook.notice);
  await failpoint('inbound.matched');
  switch (match.kind) {
    case 'nothing':
      return parkWebhook(app.db, webhook, nextMatchAt(now, webhook.receivedAt));
    case 'foreign':
      return end(app, webhook, { ...match, finding: 'unknown_operation' });
    case 'several':
      await retryTransactionNow(app.db, match.transaction, webhook.notice.verb, now);
      return end(app, webhook, { ...match, finding: 'several_operations' });
    case 'operation':
      return applyTo(app, webhook, match);
  }
}

async function applyTo(app: App, webhook: InboundWebhook, operated: Operated): Promise<void> {
  const { operation, transaction } = operated;
  const { notice } = webhook;
  const now = app.clock.now();
  if (operation.status === 'pending' && operation.leaseUntil && operation.leaseUntil > now)
    return parkWebhook(app.db, webhook, whenFree(now));
  if (!isDeciding(notice)) return applyToken(app, webhook, operated);
  const mismatch = mismatchOf(operation, webhook);
  if (mismatch === 'sent_again' || mismatch === 'no_reference') {
    await retryTransactionNow(app.db, transaction, operation.kind, now);
    return end(app, webhook, { transaction, operation, finding: mismatch });
  }
  if (operation.status !== 'pending' || (notice.outcome.kind === 'accepted' && operation.acceptedAt)) {
    const changed = await storeToken(app, webhook, operated);
    return end(app, webhook, { ...operated, changed, finding: contradiction(operation, notice) });
  }
  const outcome = mismatch ? UNSURE : await withToken(app, webhook, outcomeOf(notice, operation));
  const settled = await settle(app, operated, outcome);
  await failpoint('inbound.settled');
  const finding = mismatch ?? (settled.changed ? null : contradiction(settled.operation, notice));
  return end(app, webhook, { ...settled, finding });
}

const UNSURE = { kind: 'unknown', cause: 'unreadable' } as const;

const isDeciding = (notice: Notice): notice is DecidingNotice => notice.outcome.kind !== 'token_created';

/** Adds the token to a success. The webhook's row stores the token apart. */
async function withToken<Said extends FinalOutcome | AcceptedOutcome>(
  app: App,
  webhook: InboundWebhook,
  said: Said,
): Promise<Said> {
  return said.kind === 'succeeded' ? { ...said, recurringToken: await openToken(app, webhook) } : said;
}

/** Applies a token. A token says nothing about the payment, so a token waits until the payment is decided. */
async function applyToken(app: App, webhook: InboundWebhook, operated: Operated): Promise<void> {
  const { operation } = operated;
  const now = app.clock.now();
  if (operation.status === 'pending')
    return parkWebhook(app.db, webhook, nextMatchAt(now, webhook.receivedAt));
  const changed = await storeToken(app, webhook, operated);
  const finding = operation.status === 'succeeded' ? null : 'contradicts';
  return end(app, webhook, { ...operated, changed, finding });
}

/** Returns the mismatch of a notice of a pending operation, or null. */
function mismatchOf(operation: Operation, { notice, receivedAt }: InboundWebhook): Finding | null {
  const { outcome, paymentReference, reference } = notice;
  if (operation.status !== 'pending') return null;
  if (outcome.kind === 'succeeded' && outcome.money && !sameMoney(outcome.money, operation))
    return 'other_money';
  const isRefusal = outcome.kind === 'declined' || outcome.kind === 'failed';
  if (isRefusal && operation.sentAt > receivedAt) return 'sent_again';
  const known = reference ?? paymentReference ?? operation.providerReference;
  return operation.kind === 'authorize' && !isRefusal && known === null ? 'no_reference' : null;
}

/** Returns `contradicts` for a success against a refusal, or the reverse. An acceptance contradicts no outcome. */
function contradiction({ status }: Operation, { outcome: { kind } }: Notice): Finding | null {
  if (kind === 'accepted' || kind === 'token_created') return null;
  if (status === 'pending') return 'unexpected_state';
  return (kind === 'succeeded') === (status === 'succeeded') ? null : 'contradicts';
}

type Ended = {
  readonly transaction: Transaction;
  readonly operation?: Operation;
  readonly changed?: boolean;
  readonly finding: Finding | null;
};

async function end(
  app: App,
  webhook: InboundWebhook,
  { transaction, operation, changed = false, finding }: Ended,
): Promise<void> {
  const { notice, merchantAccountId, paymentServiceId } = webhook;
  const hasEnded = await endWebhook(app.db, webhook, {
    state: changed ? 'applied' : 'ignored',
    now: app.clock.now(),
    history: {
      transactionId: transaction.id,
      historyId: app.ids.uuid(),
      context: {
        ...contextOf(notice),
        operation_id: operation?.id,
        kind: operation?.kind,
        status: operation?.status,
        changed,
        finding,
      },
    },
  });
  await failpoint('inbound.applied');
  if (hasEnded && finding !== null) {
    const about = {
      merchantAccountId,
      paymentServiceId,
      transactionId: transaction.id,
      operationId: operation?.id,
    };
    app.log.warn(
      { ...about, told: notice.outcome.kind, finding },
      'A webhook does not fit what is recorded.',
    );
  }
}

const contextOf = ({ eventKey, verb, outcome, reference, paymentReference, occurredAt }: Notice) => ({
  webhook_event: `${verb}.${outcome.kind}`,
  webhook_event_id: eventKey,
  occurred_at: occurredAt?.toISOString(),
  payment_service_reference: reference,
  payment_service_transaction_id: paymentReference,
  amount: outcome.kind === 'succeeded' ? outcome.money?.amount : undefined,
  currency: outcome.kind === 'succeeded' ? outcome.money?.currency : undefined,
  code: 'errorCode' in outcome ? outcome.errorCode : undefined,
  raw_response_code: outcome.rawResponseCode,
  raw_response_description: outcome.rawResponseDescription,
});

async function expire(app: App, webhook: InboundWebhook, now: Date): Promise<void> {
  await endWebhook(app.db, webhook, { state: 'expired', now, history: null });
  const { merchantAccountId, paymentServiceId } = webhook;
  app.log.info({ merchantAccountId, paymentServiceId }, 'A webhook was about nothing that is known here.');
}
