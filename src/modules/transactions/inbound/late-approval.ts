import type { App } from '../../../app.ts';
import { environmentOf } from '../../../platform/process/config.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { sameMoney } from '../../../kernel/money.ts';
import { bookElsewhere } from '../elsewhere/book.ts';
import type { MadeElsewhere } from '../elsewhere/made-elsewhere.ts';
import type { Operated, Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import type { InboundWebhook } from '../notices/webhook.ts';
import { end } from '../inbound-end/end.ts';
import { readLateApproval, startRelease, type LateApproval } from './late-approval.sql.ts';
import { referenceOf, type DecidingNotice } from '../inbound-end/outcome.ts';

/** True for the approval of an authorisation that was refused before. The provider holds the buyer's money. */
export const isLateApproval = ({ kind, status }: Operation, { outcome }: DecidingNotice): boolean =>
  kind === 'authorize' && (status === 'declined' || status === 'failed') && outcome.kind === 'succeeded';

type Late = { readonly notice: DecidingNotice; readonly operated: Operated };

/**
 * Ends the limbo of an authorisation that the provider approved after its refusal. An operation of its own releases the money at
 * the provider. If the merchant account accepts late approvals, the payment becomes authorised instead.
 *
 * Commits the release or the authorisation, then the end of the webhook. Each happens once for a refused authorisation, so a
 * repeat after a crash is harmless. After a cancel or an expiry, the provider holds nothing, and nothing is done.
 */
export async function applyLateApproval(
  app: App,
  webhook: InboundWebhook,
  { notice, operated }: Late,
): Promise<void> {
  const { operation, transaction } = operated;
  const reference = referenceOf(notice, operation);
  const facts = await readLateApproval(app.db, operation);
  if (facts.isOver) return end(app, webhook, { ...operated, finding: 'contradicts' });
  if (reference === null) return end(app, webhook, { ...operated, finding: 'no_reference' });
  const money = moneyOf(notice, operation);
  if (isAcceptable(operated, money, facts) && (await accept(app, webhook, { reference, operated }))) {
    return end(app, webhook, { ...operated, changed: true, finding: 'late_authorization' });
  }
  const changed = await startMoneyRelease(app, operation, { reference, amount: money.amount });
  return end(app, webhook, { transaction, operation, changed, finding: 'late_authorization' });
}

const moneyOf = ({ outcome }: DecidingNotice, { amount, currency }: Operation) =>
  (outcome.kind === 'succeeded' ? outcome.money : null) ?? { amount, currency };

/**
 * Tells whether the payment may become authorised after all. Its gift cards were given back, and its payment link may have
 * another attempt.
 */
const isAcceptable = (
  { transaction, operation }: Operated,
  money: { readonly amount: number; readonly currency: string },
  { accepts, hasAnother, isReversed }: LateApproval,
): boolean => accepts && !hasAnother && !isReversed && isWhole(transaction) && sameMoney(money, operation);

const isWhole = ({ giftCardAmount, paymentLinkId, errorCode }: Transaction): boolean =>
  giftCardAmount === 0 && paymentLinkId === null && errorCode !== 'canceled';

type Approved = { readonly reference: string; readonly operated: Operated };

/** Books the authorisation. False if the payment has gone on meanwhile, or if the release has begun. */
async function accept(
  app: App,
  { notice, merchantAccountId, paymentServiceId }: InboundWebhook,
  { reference, operated: { operation, transaction } }: Approved,
): Promise<boolean> {
  const { amount, currency } = operation;
  const { rawResponseCode, rawResponseDescription } = notice.outcome;
  const made: MadeElsewhere = {
    kind: 'authorize',
    ...{ reference, money: { amount, currency }, occurredAt: notice.occurredAt },
    ...{ total: null, final: null, captureReference: null, rawResponseCode, rawResponseDescription },
  };
  const about = { merchantAccountId, paymentServiceId, transactionId: transaction.id };
  const booked = await bookElsewhere(app, about, { made, isLate: false });
  return booked.kind === 'decided' && booked.changed;
}

/** Starts the operation that releases the buyer's money at the provider. False if the release was started before. */
async function startMoneyRelease(
  app: App,
  operation: Operation,
  { reference, amount }: { readonly reference: string; readonly amount: number },
): Promise<boolean> {
  await failpoint('late_approval.releasing');
  const started = await startRelease(app.db, {
    ...{ operation, reference, amount, releaseId: app.ids.uuid(), historyId: app.ids.uuid() },
    ...{ eventId: app.ids.uuid(), environment: environmentOf(app.config), now: app.clock.now() },
  });
  await failpoint('late_approval.started');
  if (started) app.wakeRelay();
  return started;
}
