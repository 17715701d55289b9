import type { App } from '../../../app.ts';
import type { Outcome } from '../../../connectors/connector.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { sealRecurringToken, type SealedToken } from '../../payment-methods/index.ts';
import {
  eventOf,
  mutationOf,
  type AcceptedOutcome,
  type FinalOutcome,
  type Operation,
  type UnknownWhy,
} from '../model/operation.ts';
import { nextAttemptAt, nextDecisionAt } from './schedule.ts';
import { awaitedOf, type Awaited } from '../authorize/buyer-approval/awaited.ts';
import { acceptOperation } from './accept.sql.ts';
import { settleWithGiftCard } from '../authorize/split-tender/settle-gift-card.ts';
import { releaseOperation } from './leases.sql.ts';
import { readOperation } from '../model/read.sql.ts';
import type { Settled, TellingIds } from './settle.sql.ts';
import { isSale, waysOf, type Transaction, type TransactionEvent } from '../model/transaction.ts';

/** An operation and its transaction, as they stand. */
export type Operated = { readonly operation: Operation; readonly transaction: Transaction };

/** What stands after a settle, and whether it was this one that wrote it. */
export type Stands = Operated & { readonly changed: boolean };

/**
 * Writes down what the provider said of an operation; with the claims the only writer of a transaction's status and
 * amounts. Commits once. A yes or a no ends the operation: amounts, ledger, events, history and the stored result of its
 * key. `accepted` notes that the provider will decide. `unknown` ends nothing: the reservation is held and reconciliation
 * asks again. What is already ended stays as it is, and the answer is what stands.
 */
export async function settle(app: App, operated: Operated, outcome: Outcome): Promise<Stands> {
  const { operation } = operated;
  switch (outcome.kind) {
    case 'unknown':
      await release(app, operation, outcome.cause);
      return { ...(await current(app, operation)), changed: false };
    case 'accepted':
      return accept(app, operated, outcome);
    default:
      return end(app, operated, outcome);
  }
}

async function end(app: App, { operation, transaction }: Operated, outcome: FinalOutcome): Promise<Stands> {
  const { kind } = operation;
  const event = eventOf(kind, isSale(transaction), outcome.kind);
  const token = await tokenToKeep(app, transaction, outcome);
  await failpoint(`${kind}.settling`);
  const settled = await settleWithGiftCard(app, {
    operation,
    outcome,
    ways: event && waysOf(event),
    mutation: mutationOf[kind],
    told: tellingIds(app),
    kept: { token, eventIds: [app.ids.uuid(), app.ids.uuid()] },
    now: app.clock.now(),
    ledgerIds: [app.ids.uuid(), app.ids.uuid()],
  });
  await failpoint(`${kind}.settled`);
  const stands = await told(app, operation, settled);
  return isTooLate(stands.operation, outcome) ? end(app, stands, tooLate(outcome)) : stands;
}

/** What the provider calls the payment method that the payment has stored, sealed; null: nothing to keep. */
async function tokenToKeep(
  app: App,
  { merchantAccountId, paymentMethodId, store }: Transaction,
  outcome: FinalOutcome,
): Promise<SealedToken | null> {
  const token = outcome.kind === 'succeeded' ? outcome.recurringToken : null;
  if (token == null || paymentMethodId === null || !store) return null;
  return sealRecurringToken(app, merchantAccountId, token);
}

/** Whether a cancel is confirmed of a payment that was captured first, as a provider must not: then it has not been one. */
const isTooLate = ({ kind, status }: Operation, outcome: FinalOutcome): boolean =>
  kind === 'cancel' && status === 'pending' && outcome.kind === 'succeeded';

const tooLate = ({ reference, rawResponseCode, rawResponseDescription }: FinalOutcome): FinalOutcome => ({
  kind: 'failed',
  reference,
  errorCode: 'unexpected_state',
  rawResponseCode,
  rawResponseDescription,
});

async function accept(
  app: App,
  { operation, transaction }: Operated,
  outcome: AcceptedOutcome,
): Promise<Stands> {
  const { kind } = operation;
  const awaited = await awaitedOf(app, operation, outcome);
  const event = awaited ? AWAIT[awaited.kind] : eventOf(kind, isSale(transaction), outcome.kind);
  const now = app.clock.now();
  await failpoint(`${kind}.accepting`);
  const accepted = await acceptOperation(app.db, {
    operation,
    outcome,
    ways: event && waysOf(event),
    told: tellingIds(app),
    now,
    nextAttemptAt: nextDecisionAt(now, now),
    awaited,
  });
  await failpoint(`${kind}.accepted`);
  // Taken on before, and still not decided.
  if (!accepted) await release(app, operation, null);
  return told(app, operation, accepted);
}

/** A push payment is processed meanwhile: there is nothing to approve (facts 2.1). */
const AWAIT = {
  redirect: 'await_buyer',
  session: 'await_buyer',
  voucher: null,
} as const satisfies Record<Awaited['kind'], TransactionEvent | null>;

/**
 * Gives a pending operation back, its reservation held, to be taken up again by the schedule. `cause` null: the provider is
 * still deciding. `never`: there is nobody to ask, and it waits for a webhook or a person; `by`: no later than then.
 */
export async function release(
  app: App,
  operation: Operation,
  cause: UnknownWhy | null,
  { never = false, by = null }: { readonly never?: boolean; readonly by?: Date | null } = {},
): Promise<void> {
  const now = app.clock.now();
  // Whether it was taken on, the provider does not forget; that it did not answer this time puts nothing in doubt.
  const isDeciding = cause === null || operation.acceptedAt !== null;
  const next = isDeciding ? nextDecisionAt(now, operation.acceptedAt ?? now) : nextAttemptAt(now, operation);
  await releaseOperation(app.db, operation, {
    now,
    nextAttemptAt: never ? null : sooner(next, by),
    unknownCause: isDeciding ? null : cause,
    historyId: app.ids.uuid(),
  });
}

/** Null is never; what is never taken up by the schedule is not by a limit either. */
const sooner = (next: Date | null, by: Date | null): Date | null => (next && by && by < next ? by : next);

/**
 * Gives back an authorisation that its buyer has completed, when no answer came: the provider may have carried it out, so it is
 * asked again soon, however long ago it was taken on. It is in no more doubt than one that the provider has yet to decide.
 */
export async function releaseSoon(app: App, operation: Operation): Promise<void> {
  const now = app.clock.now();
  await releaseOperation(app.db, operation, {
    now,
    nextAttemptAt: nextAttemptAt(now, operation),
    unknownCause: null,
    historyId: app.ids.uuid(),
  });
}

const tellingIds = (app: App): TellingIds => ({
  environment: app.config.production ? 'production' : 'sandbox',
  eventIds: [app.ids.uuid(), app.ids.uuid()],
  historyId: app.ids.uuid(),
});

async function told(app: App, operation: Operation, written: Settled | null): Promise<Stands> {
  if (!written) return { ...(await current(app, operation)), changed: false };
  app.wakeRelay();
  if (written.transaction.paymentLinkId !== null) app.wakePaymentLinks();
  return { ...written, changed: true };
}

/** An operation and its transaction, read again. */
export async function current(app: App, { merchantAccountId, id }: Operation): Promise<Operated> {
  const found = await readOperation(app.db, merchantAccountId, id);
  if (!found) throw new Error(`Operation ${id} is gone`);
  return found;
}
