import { environmentOf } from '../../../platform/process/config.ts';
import type { App } from '../../../app.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { acceptanceWindowsOf, findProvider } from '../../payment-services/index.ts';
import { sealRecurringToken, type SealedToken } from '../../payment-methods/index.ts';
import type { Operated, Operation, UnknownWhy } from '../model/operation.ts';
import type { AcceptedOutcome, FinalOutcome } from '../model/outcome.ts';
import { storeLaterReports } from '../notices/later-reports.ts';
import { awaitedOf } from '../awaiting/awaited.ts';
import { readOperation } from '../rows/read.sql.ts';
import type { Transaction } from '../model/transaction.ts';
import { acceptChanges } from './accept-rules.ts';
import { BOOKED_BEFORE } from './apply.sql.ts';
import type { Changes, Given, State } from './changes.ts';
import { countOutcome, type CountedOutcome } from './outcome-counter.ts';
import { writeLeaseRelease } from '../claim/leases.sql.ts';
import { nextLookAtHold } from '../hold/held-back.ts';
import { nextAttemptAt, nextDecisionAt } from './schedule.ts';
import { settleChanges } from './settle-rules.ts';
import { writeOutcome, type Settled } from './write-outcome.ts';

export type { Settled } from './write-outcome.ts';

/**
 * Writes the provider's outcome. Commits once.
 * - A success or a refusal ends the operation: amounts, ledger, events, history, and the result of its key.
 * - `accepted` records that the provider decides later.
 * - `unknown` ends nothing. The reservation stays, and reconciliation asks again.
 * An ended operation stays as it is. The answer then shows its rows.
 * Outside production, the later reports of a simulated provider are stored before that commit.
 *
 * Other writers of a transaction's status or amounts:
 * - the claims, a reroute, and the end of a challenge
 * - take-back/take-back.sql.ts, for a reversal or an expiry
 * - elsewhere/book.sql.ts, for an operation that was made at the provider
 */
export async function settle(app: App, operated: Operated, outcome: Outcome): Promise<Settled> {
  const { operation } = operated;
  switch (outcome.kind) {
    case 'unknown':
      await releaseLease(app, operation, outcome.cause);
      if (operation.unknownAt === null) countOutcome(app, operated, 'unknown');
      return { ...(await current(app, operation)), changed: false };
    case 'accepted':
      return accept(app, operated, outcome);
    default:
      return end(app, operated, outcome);
  }
}

async function end(app: App, operated: Operated, outcome: FinalOutcome): Promise<Settled> {
  const { operation, transaction } = operated;
  const { kind } = operation;
  const token = await tokenToKeep(app, transaction, outcome);
  await storeLaterReports(app, operated, outcome);
  await failpoint(`${kind}.settling`);
  const given = givenOf(app, operation);
  const schemeTransactionId = (outcome.kind === 'succeeded' && outcome.schemeTransactionId) || null;
  const settled = await writeOutcome(app, operated, {
    decide: (state) => withOwnReference(app, state, settleChanges(state, outcome, given)),
    ...(outcome.kind === 'succeeded' &&
      BOOKED_BEFORE.has(kind) && {
        decideBooked: (state: State) => bookedChanges(state, outcome, given),
      }),
    context: { ...contextOf(app), schemeTransactionId, token },
    countsGiftCard: operation.redemptionId !== null && outcome.kind === 'succeeded',
  });
  await failpoint(`${kind}.settled`);
  if (settled.changed) countOutcome(app, settled, endedAs(settled.operation));
  return wakeLoops(app, settled);
}

/** Adds the provider's id if no other operation can have it. Captures of one payment may share an id. */
function withOwnReference(app: App, { operation, service }: State, changes: Changes | null): Changes | null {
  const names =
    operation.kind === 'refund' || findProvider(app, service.definitionId)?.connector.namesCaptures;
  return changes && names ? { ...changes, ownReference: changes.operation.providerReference } : changes;
}

/** Ends an operation whose money a report booked. The provider released what a final capture left, so the payment stays closed. */
function bookedChanges(state: State, outcome: FinalOutcome, given: Given): Changes | null {
  const { transaction, operation } = state;
  const changes = settleChanges(state, bookedBefore(outcome), { ...given, sentAt: operation.sentAt });
  const { captureClosed } = transaction;
  return changes && { ...changes, transaction: { ...changes.transaction, captureClosed } };
}

/**
 * Returns the outcome of a request whose operation a report booked before, as after a restore of the database. The booking has
 * the money, so the request moves nothing more.
 */
const bookedBefore = ({ rawResponseCode, rawResponseDescription }: FinalOutcome): FinalOutcome => ({
  ...{ kind: 'declined', reference: null, errorCode: 'duplicate_transaction' },
  ...{ rawResponseCode, rawResponseDescription },
});

/** Returns the outcome of an operation that has ended. A late cancel ends as failed although the provider confirmed the cancel. */
const endedAs = ({ status }: Operation): CountedOutcome => (status === 'pending' ? 'unknown' : status);

/** Draws the time and the ids for the rules. */
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
    environment: environmentOf(app.config),
    methodEventIds: [app.ids.uuid(), app.ids.uuid()],
  }) as const;

/** Seals the provider's token of a payment method that the payment stores. Null when there is nothing to store. */
async function tokenToKeep(
  app: App,
  { merchantAccountId, paymentMethodId, store }: Transaction,
  outcome: FinalOutcome,
): Promise<SealedToken | null> {
  const token = outcome.kind === 'succeeded' ? outcome.recurringToken : null;
  if (token == null || paymentMethodId === null || !store) return null;
  return sealRecurringToken(app, merchantAccountId, token);
}

async function accept(app: App, operated: Operated, outcome: AcceptedOutcome): Promise<Settled> {
  const { operation } = operated;
  const { kind } = operation;
  const awaited = await awaitedOf(app, operation, outcome);
  await failpoint(`${kind}.accepting`);
  const given = givenOf(app, operation);
  const settled = await writeOutcome(app, operated, {
    decide: (state) => {
      const windows = acceptanceWindowsOf(app, state.service.definitionId);
      return acceptChanges(state, outcome, { ...given, ...windows, awaited });
    },
    context: { ...contextOf(app), schemeTransactionId: null, token: null },
    countsGiftCard: false,
  });
  await failpoint(`${kind}.accepted`);
  if (settled.changed) {
    countOutcome(app, settled, 'accepted');
    return wakeLoops(app, settled);
  }
  // The provider had accepted the operation before, and is still deciding.
  await releaseLease(app, operation, null, { isAccepted: true });
  return { ...(await current(app, operation)), changed: false };
}

/**
 * Releases the lease of a pending operation, so that the schedule claims it again. The reservation stays.
 * - `cause`: why the outcome is unknown. Null means that the provider is still deciding.
 * - `never`: no provider can be asked. The operation waits for a webhook or a person. An accepted operation is still
 *   claimed at the end of its window, so that a person finds it.
 * - `by`: the latest time of the next claim.
 * - `isAccepted`: the provider has just said again that it decides later.
 */
export async function releaseLease(
  app: App,
  operation: Operation,
  cause: UnknownWhy | null,
  { never = false, by = null, isAccepted = false }: Release = {},
): Promise<void> {
  const now = app.clock.now();
  // An accepted operation stays accepted. Only the end of its window makes its outcome unknown, and the statement does.
  const isDeciding = cause === null || operation.acceptedAt !== null;
  const next = isDeciding ? nextDecisionAt(now, operation) : nextAttemptAt(now, operation);
  const { decisionUntil } = operation;
  const last = decisionUntil && decisionUntil > now ? decisionUntil : null;
  await writeLeaseRelease(app.db, operation, {
    now,
    nextAttemptAt: never ? last : sooner(next, by),
    unknownCause: isDeciding ? null : cause,
    isAccepted,
    historyId: app.ids.uuid(),
  });
}

type Release = { readonly never?: boolean; readonly by?: Date | null; readonly isAccepted?: boolean };

/** Returns the earlier time. Null means never, and a limit does not change that. */
const sooner = (next: Date | null, by: Date | null): Date | null => (next && by && by < next ? by : next);

/**
 * Releases the lease of a completed authorisation without an answer. The provider may have carried it out, so it is due soon,
 * however long ago it was accepted. Its outcome counts as undecided, not as unknown.
 */
export async function releaseLeaseSoon(app: App, operation: Operation): Promise<void> {
  const now = app.clock.now();
  await writeLeaseRelease(app.db, operation, {
    now,
    nextAttemptAt: nextAttemptAt(now, operation) ?? nextDecisionAt(now, operation),
    unknownCause: null,
    historyId: app.ids.uuid(),
  });
}

/**
 * Releases the lease of an operation that waits for the end of a hold after a restore. The hold may last for weeks. Returns the
 * state after that.
 */
export async function releaseLeaseHeld(app: App, operation: Operation): Promise<Operated> {
  const now = app.clock.now();
  await writeLeaseRelease(app.db, operation, {
    now,
    nextAttemptAt: nextLookAtHold(now),
    unknownCause: operation.unknownCause,
    historyId: app.ids.uuid(),
  });
  return current(app, operation);
}

function wakeLoops(app: App, settled: Settled): Settled {
  if (!settled.changed) return settled;
  app.wakeRelay();
  if (settled.transaction.paymentLinkId !== null) app.wakePaymentLinks();
  return settled;
}

/** Reads an operation and its transaction again. */
export async function current(app: App, { merchantAccountId, id }: Operation): Promise<Operated> {
  const found = await readOperation(app.db, merchantAccountId, id);
  if (!found) throw new Error(`Operation ${id} is gone`);
  return found;
}
