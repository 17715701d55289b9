import type { App } from '../../../app.ts';
import type { Notice } from '../../../connectors/webhook.ts';
import { sameMoney } from '../../../kernel/money.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import type { AcceptedOutcome, FinalOutcome, Operation } from '../model/operation.ts';
import { settle, type Operated } from '../engine/settle.ts';
import { hastenOn } from '../engine/leases.sql.ts';
import { endWebhook, parkWebhook } from './inbound.sql.ts';
import { findTold } from './match.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import { matchOf } from './match.ts';
import { outcomeOf, type DecidingNotice } from './outcome.ts';
import { keepToken, openToken } from './token.ts';
import { isOver, nextMatchAt, whenFree, type InboundWebhook } from './webhook.ts';

/** Why a webhook that was matched changed nothing although it told of something; said in the history and the log. */
type Finding =
  /** The operation has ended, and otherwise. */
  | 'contradicts'
  /** It tells of other money than was asked. */
  | 'other_money'
  /** The transaction's status knows no way for it. */
  | 'unexpected_state'
  /** It may be about one of several operations. */
  | 'several_operations'
  /** Nobody has asked for it here. */
  | 'unknown_operation'
  /** It refuses an earlier sending of an operation that has been sent again since. */
  | 'sent_again'
  /** It says yes to a payment, and not what the payment's id is. */
  | 'no_reference';

/**
 * Applies what a provider told, through the settle of all operations: an ended one stays as it is. Whatever is matched
 * is noted in the transaction's history once; what is not stays parked. While somebody asks the provider about the
 * operation, their answer comes first. Commits the outcome, then the webhook's end: a crash between leaves it parked, and
 * whoever takes it up finds the operation ended and ends the webhook as one that changed nothing.
 */
export async function applyWebhook(app: App, webhook: InboundWebhook): Promise<void> {
  const now = app.clock.now();
  if (isOver(now, webhook.receivedAt)) return expire(app, webhook, now);
  const match = matchOf(await findTold(app.db, webhook), webhook.notice);
  await failpoint('inbound.matched');
  switch (match.kind) {
    case 'nothing':
      return parkWebhook(app.db, webhook, nextMatchAt(now, webhook.receivedAt));
    case 'foreign':
      return end(app, webhook, { ...match, finding: 'unknown_operation' });
    case 'several':
      await hastenOn(app.db, match.transaction, webhook.notice.verb, now);
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
  const doubt = doubtOf(operation, webhook);
  if (doubt === 'sent_again' || doubt === 'no_reference') {
    await hastenOn(app.db, transaction, operation.kind, now);
    return end(app, webhook, { transaction, operation, finding: doubt });
  }
  if (operation.status !== 'pending' || (notice.outcome.kind === 'accepted' && operation.acceptedAt)) {
    const changed = await keepToken(app, webhook, operated);
    return end(app, webhook, { ...operated, changed, finding: contradiction(operation, notice) });
  }
  const outcome = doubt ? UNBELIEVED : await told(app, webhook, outcomeOf(notice, operation));
  const stands = await settle(app, operated, outcome);
  await failpoint('inbound.settled');
  const finding = doubt ?? (stands.changed ? null : contradiction(stands.operation, notice));
  return end(app, webhook, { ...stands, finding });
}

const UNBELIEVED = { kind: 'unknown', cause: 'unreadable' } as const;

const isDeciding = (notice: Notice): notice is DecidingNotice => notice.outcome.kind !== 'token_created';

/** With the token that was stored apart. */
async function told<Said extends FinalOutcome | AcceptedOutcome>(
  app: App,
  webhook: InboundWebhook,
  said: Said,
): Promise<Said> {
  return said.kind === 'succeeded' ? { ...said, recurringToken: await openToken(app, webhook) } : said;
}

/** A token says nothing of the payment: while that is not decided, it waits. */
async function applyToken(app: App, webhook: InboundWebhook, operated: Operated): Promise<void> {
  const { operation } = operated;
  const now = app.clock.now();
  if (operation.status === 'pending')
    return parkWebhook(app.db, webhook, nextMatchAt(now, webhook.receivedAt));
  const changed = await keepToken(app, webhook, operated);
  const finding = operation.status === 'succeeded' ? null : 'contradicts';
  return end(app, webhook, { ...operated, changed, finding });
}

/** Why a notice of a pending operation is not believed as it is; null: it is. */
function doubtOf(operation: Operation, { notice, receivedAt }: InboundWebhook): Finding | null {
  const { outcome, paymentReference, reference } = notice;
  if (operation.status !== 'pending') return null;
  if (outcome.kind === 'succeeded' && outcome.money && !sameMoney(outcome.money, operation))
    return 'other_money';
  const isRefusal = outcome.kind === 'declined' || outcome.kind === 'failed';
  if (isRefusal && operation.sentAt > receivedAt) return 'sent_again';
  const known = reference ?? paymentReference ?? operation.providerReference;
  return operation.kind === 'authorize' && !isRefusal && known === null ? 'no_reference' : null;
}

/** What was taken on says nothing against how it was decided; a yes against a no, or a no against a yes, does. */
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
    told: {
      transactionId: transaction.id,
      historyId: app.ids.uuid(),
      context: {
        ...toldBy(notice),
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

const toldBy = ({ eventKey, verb, outcome, reference, paymentReference, occurredAt }: Notice) => ({
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
  await endWebhook(app.db, webhook, { state: 'expired', now, told: null });
  const { merchantAccountId, paymentServiceId } = webhook;
  app.log.info({ merchantAccountId, paymentServiceId }, 'A webhook was about nothing that is known here.');
}
