import type { App } from '../../../app.ts';
import type { Outcome } from '../../../connectors/outcome.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { sealRecurringToken, type SealedToken } from '../../payment-methods/index.ts';
import type { Operated, Operation, UnknownWhy } from '../model/operation.ts';
import type { AcceptedOutcome, FinalOutcome } from '../model/outcome.ts';
import { awaitedOf } from '../awaiting/awaited.ts';
import { readOperation } from '../model/read.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import { acceptChanges } from './accept-rules.ts';
import type { Given } from './changes.ts';
import { releaseOperation } from './leases.sql.ts';
import { nextAttemptAt, nextDecisionAt } from './schedule.ts';
import { settleChanges } from './settle-rules.ts';
import { writeOutcome, type Stands } from './write-outcome.ts';

export type { Stands } from './write-outcome.ts';

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

async function end(app: App, operated: Operated, outcome: FinalOutcome): Promise<Stands> {
  const { operation, transaction } = operated;
  const { kind } = operation;
  const token = await tokenToKeep(app, transaction, outcome);
  await failpoint(`${kind}.settling`);
  const given = givenOf(app, operation);
  const schemeTransactionId = (outcome.kind === 'succeeded' && outcome.schemeTransactionId) || null;
  const stands = await writeOutcome(app, operated, {
    decide: (state) => settleChanges(state, outcome, given),
    context: { ...contextOf(app), schemeTransactionId, token },
    countsGiftCard: operation.redemptionId !== null && outcome.kind === 'succeeded',
  });
  await failpoint(`${kind}.settled`);
  return told(app, stands);
}

/** The moment and the ids that the rules are given. */
function givenOf(app: App, { sentAt }: Operation): Given {
  return {
    now: app.clock.now(),
    sentAt,
    eventIds: [app.ids.uuid(), app.ids.uuid()],
    historyId: app.ids.uuid(),
    ledgerIds: [app.ids.uuid(), app.ids.uuid()],
  };
}

const contextOf = (app: App) =>
  ({
    environment: app.config.production ? 'production' : 'sandbox',
    methodEventIds: [app.ids.uuid(), app.ids.uuid()],
  }) as const;

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

async function accept(app: App, operated: Operated, outcome: AcceptedOutcome): Promise<Stands> {
  const { operation } = operated;
  const { kind } = operation;
  const awaited = await awaitedOf(app, operation, outcome);
  await failpoint(`${kind}.accepting`);
  const given = givenOf(app, operation);
  const nextAttempt = nextDecisionAt(given.now, given.now);
  const stands = await writeOutcome(app, operated, {
    decide: (state) => acceptChanges(state, outcome, { ...given, awaited, nextAttemptAt: nextAttempt }),
    context: { ...contextOf(app), schemeTransactionId: null, token: null },
    countsGiftCard: false,
  });
  await failpoint(`${kind}.accepted`);
  if (stands.changed) return told(app, stands);
  // Taken on before, and still not decided.
  await release(app, operation, null);
  return { ...(await current(app, operation)), changed: false };
}

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

function told(app: App, stands: Stands): Stands {
  if (!stands.changed) return stands;
  app.wakeRelay();
  if (stands.transaction.paymentLinkId !== null) app.wakePaymentLinks();
  return stands;
}

/** An operation and its transaction, read again. */
export async function current(app: App, { merchantAccountId, id }: Operation): Promise<Operated> {
  const found = await readOperation(app.db, merchantAccountId, id);
  if (!found) throw new Error(`Operation ${id} is gone`);
  return found;
}
