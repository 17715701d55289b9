import type { App } from '../../../app.ts';
import { next } from '../../../kernel/machine.ts';
import { lookUp } from '../../../connectors/calls/call.ts';
import { abandonPayment } from '../../../connectors/calls/call-abandon.ts';
import { leaseMsOf, leaseOf, longestDeadlineMs, openCall, WELL } from '../../payment-services/index.ts';
import { recoveryOf, type Connector, type Recovery } from '../../../connectors/interface/connector.ts';
import type { CallContext } from '../../../connectors/interface/call-context.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { needsNoProvider, send } from '../engine/send.ts';
import { lifecycle, type TransactionEvent, type TransactionStatus } from '../model/transaction.ts';
import { providerKeyOf } from '../model/provider-keys.ts';
import type { Verb } from '../../../connectors/interface/requests.ts';
import type { Operation, OperationKind } from '../model/operation.ts';
import { waitsForClient } from '../awaiting/session-token.ts';
import { openMeans } from '../instrument/sealed-means.ts';
import { resumeAt } from './resume.ts';
import type { AuthorizationClaim, TakenOverClaim } from '../claim/claim.ts';
import { isHeld, unlessHeld } from '../hold/held-back.ts';
import { markSent } from '../claim/leases.sql.ts';
import { isResuming } from '../engine/resuming.sql.ts';

/** The next step to learn the outcome of an operation. */
export type Way = 'look_up' | 'send_again' | 'wait';

/** The facts that decide the next step, beside the provider's class and the operation. */
export type Requested = {
  /** The moment of the decision. After a look-up, the moment at which the look-up began. */
  readonly now: Date;
  /** True when the provider has an operation of this key. Null before a look-up. */
  readonly knows: boolean | null;
  /** The longest time between `sentAt` and the real request. The sender owns the operation for this time. */
  readonly leaseMs: number;
};

/**
 * Chooses the next step to learn the outcome of a pending operation, by the class of its provider. An accepted
 * operation is looked up and never sent again.
 */
export function wayToLearn(
  recovery: Recovery,
  { acceptedAt, createdAt, sentAt }: Pick<Operation, 'acceptedAt' | 'createdAt' | 'sentAt'>,
  { now, knows, leaseMs }: Requested,
): Way {
  if (acceptedAt) return knows === null ? 'look_up' : 'wait';
  switch (recovery.kind) {
    case 'keys':
      // After its window, a provider forgets the key and would do the work again.
      if (now.getTime() - createdAt.getTime() + leaseMs < recovery.windowMs) return 'send_again';
      return knows === null ? 'look_up' : 'wait';
    case 'lookup':
      if (knows === null) return 'look_up';
      return !knows && now >= arrivedBy(recovery, sentAt, leaseMs) ? 'send_again' : 'wait';
    case 'none':
      return 'wait';
  }
}

/** Returns the moment by which a sent request has reached the provider: after the lease and the quiescence. */
const arrivedBy = ({ quiescenceMs }: ByReference, sentAt: Date, leaseMs: number): Date =>
  new Date(sentAt.getTime() + quiescenceMs + leaseMs);

type ByReference = Extract<Recovery, { readonly kind: 'lookup' }>;

/** Returns the moment from which an operation unknown to the provider may be sent again, or null for never. */
const sendableFrom = (
  recovery: Recovery,
  { acceptedAt, sentAt }: Pick<Operation, 'acceptedAt' | 'sentAt'>,
  leaseMs: number,
): Date | null => (recovery.kind === 'lookup' && !acceptedAt ? arrivedBy(recovery, sentAt, leaseMs) : null);

/** The result of an inquiry. `operation` has the new `sentAt` when the inquiry sent the operation again. */
export type Learned = {
  readonly operation: Operation;
  readonly outcome: Outcome | NotLearned;
  /**
   * The latest moment of the next inquiry, because the operation may be sent again then. Without a moment, the schedule
   * decides.
   */
  readonly askAgainBy?: Date | null;
};

/**
 * An inquiry without an outcome.
 *
 * - `not_found`: the provider does not know the operation, or not yet.
 * - `nobody_to_ask`: only a webhook or a person can bring the outcome.
 * - `taken_over`: another process has claimed or settled the operation meanwhile.
 * - `held_back`: the operation must be sent, and payments are held back after a restore.
 */
export type NotLearned = 'not_found' | 'nobody_to_ask' | 'taken_over' | 'held_back';

/**
 * Asks the provider for the outcome of a pending operation, as the provider's class allows. Never throws for a provider's fault.
 * Sends an unsent operation, which a challenge had deferred, for the first time. Only asks while payments are held back.
 */
export async function inquire(app: App, claimed: TakenOverClaim): Promise<Learned> {
  const { operation, connection } = claimed;
  const { connector, context } = await openCall(app, operation.merchantAccountId, connection);
  // The answer shows the provider's books of this moment. A later request is not in the answer.
  const now = app.clock.now();
  const leaseMs = leaseMsOf(longestDeadlineMs(app));
  const recovery = recoveryOf(connector, RECOVERED_AS[operation.kind]);
  if (operation.unsent || needsNoProvider(claimed)) return sendAgain(app, claimed, connector);
  // A payment under cancellation is not continued. The look-up below only asks for the effect of an earlier request.
  if (claimed.resumes && !claimed.transaction.voidPending && (connector.sessions || 'resume' in connector)) {
    return resume(app, claimed, connector, context);
  }
  const way = wayToLearn(recovery, operation, { now, knows: null, leaseMs });
  if (way === 'wait') return { operation, outcome: 'nobody_to_ask' };
  if (way === 'send_again') {
    const sent = await sendAgain(app, claimed, connector);
    if (!hasArrived(sent.outcome) && sent.outcome !== 'held_back') return sent;
    const looked = await look(app, { ...claimed, operation: sent.operation }, connector, context);
    // An operation that only waits for the end of the hold goes on by itself then.
    const waits = sent.outcome === 'held_back' && looked.outcome === 'nobody_to_ask';
    return waits ? sent : looked;
  }
  const looked = await look(app, claimed, connector, context);
  if (looked.outcome !== 'not_found') return looked;
  const next = wayToLearn(recovery, operation, { now, knows: false, leaseMs });
  if (next === 'send_again')
    return claimed.transaction.voidPending && cancelEnds(claimed, connector)
      ? looked
      : sendAgain(app, claimed, connector);
  return { ...looked, askAgainBy: sendableFrom(recovery, operation, leaseMs) };
}

/**
 * True for an authorisation that is not sent again during its cancel. The cancel ends a payment whose request was lost. Its
 * provider then shows no payment, although no request can be on its way any more:
 *
 * - A sending starts before the claim of the cancel, or `markSent` refuses it. So its request leaves within a lease of that claim.
 * - The cancel is repeated only after that lease and the quiescence.
 *
 * Another provider needs the payment for its cancel, so the authorisation is sent again.
 */
const cancelEnds = ({ operation: { kind } }: TakenOverClaim, connector: Connector): boolean =>
  kind === 'authorize' &&
  recoveryOf(connector, 'authorize').kind === 'lookup' &&
  recoveryOf(connector, 'cancel').kind === 'lookup';

/**
 * Lets the provider continue the payment, if this process still owns the operation. Records the time first, as each sending does:
 * a refusal of an earlier continuation says nothing about this one.
 */
async function resume(
  app: App,
  claimed: TakenOverClaim,
  connector: Connector,
  context: CallContext,
): Promise<Learned> {
  const claim = await toSend(app, claimed, connector);
  if (typeof claim === 'string') return { operation: claimed.operation, outcome: claim };
  const outcome = await resumeAt(app, claim, connector, context);
  return hasArrived(outcome) ? look(app, claim, connector, context) : { operation: claim.operation, outcome };
}

/** The verb by whose rules an operation is recovered. */
const RECOVERED_AS = {
  authorize: 'authorize',
  increase: 'increase',
  reauthorize: 'reauthorize',
  capture: 'capture',
  refund: 'refund',
  void: 'void',
  cancel: 'cancel',
  release: 'cancel',
  redeem: 'authorize',
  unredeem: 'refund',
} as const satisfies Record<OperationKind, Verb>;

/** True when the provider says that it has an earlier request of this key, and not how that request ended. */
const hasArrived = (outcome: Learned['outcome']): boolean =>
  typeof outcome === 'object' && outcome.kind === 'unknown' && outcome.arrived === true;

/**
 * Looks an operation up at its provider. Takes no money, and may release held money. The provider ends a payment whose buyer did not
 * come back in time.
 */
async function look(
  app: App,
  claimed: TakenOverClaim,
  connector: Connector,
  context: CallContext,
): Promise<Learned> {
  const { operation } = claimed;
  const { kind, redemptionId, amount, currency, createdAt } = operation;
  // Gift-card providers have no look-up.
  if (redemptionId !== null || kind === 'redeem' || kind === 'unredeem')
    return { operation, outcome: 'nobody_to_ask' };
  const verb = RECOVERED_AS[kind];
  const isOver = claimed.approval === 'expired';
  const resuming = isOver && (await isResuming(app.db, operation, context.definition, app.clock.now()));
  await failpoint(`${kind}.looking`);
  const abandons = isOver && mayBeAbandoned(claimed, app.clock.now()) && !(await isHeld(app.db));
  const ask = abandons ? abandonPayment : lookUp;
  const found = await ask(connector, context, app.log, {
    key: providerKeyOf(operation),
    verb,
    // A release is about an authorisation that the payment may not be about any more.
    reference:
      kind === 'release' ? operation.providerReference : claimed.transaction.paymentServiceTransactionId,
    money: { amount, currency },
    createdAt,
    accountEnding: claimed.transaction.bank?.lastFour ?? null,
    approval: claimed.resumes || claimed.approval === 'returned' ? 'pending' : claimed.approval,
    ...{ resuming, inSession: waitsForClient(claimed.transaction) },
    ...(verb === 'cancel' && (await isHeld(app.db)) && { isHeld: true }),
  });
  await failpoint(`${kind}.looked`);
  return { operation, outcome: found ?? 'not_found' };
}

/**
 * True if the provider may end the payment now. A payment under cancellation is only read, because the cancel ends it. No webhook
 * settles the payment while this process has the lease.
 */
const mayBeAbandoned = ({ operation, transaction }: TakenOverClaim, now: Date): boolean =>
  operation.kind === 'authorize' &&
  operation.leaseUntil !== null &&
  now < operation.leaseUntil &&
  !transaction.voidPending &&
  next<TransactionStatus, TransactionEvent>(lifecycle, transaction.status, 'fail') !== null;

/**
 * Sends the same request under the same key, if this process still owns the operation. Records the time first. After a crash the
 * recorded time is too early, never too late.
 */
async function sendAgain(app: App, claimed: TakenOverClaim, connector: Connector): Promise<Learned> {
  const { kind } = claimed.operation;
  const claim = await toSend(app, claimed, connector);
  if (typeof claim === 'string') return { operation: claimed.operation, outcome: claim };
  await failpoint(`${kind}.resending`);
  const outcome = await send(app, kind === 'authorize' ? await toAuthorizationClaim(app, claim) : claim);
  await failpoint(`${kind}.resent`);
  return { operation: claim.operation, outcome };
}

/** Records that an operation is about to be sent. Returns the reason if this process must not send the operation. */
async function toSend(
  app: App,
  claimed: TakenOverClaim,
  connector: Connector,
): Promise<TakenOverClaim | 'taken_over' | 'held_back'> {
  const now = app.clock.now();
  const sending = { now, leaseUntil: leaseOf(app, now), cancelEnds: cancelEnds(claimed, connector) };
  const marked = await unlessHeld(markSent(app.db, claimed.operation, sending));
  if (!marked.ok) return 'held_back';
  return marked.value ? { ...claimed, operation: marked.value } : 'taken_over';
}

/**
 * Adds the means to pay to the claim of an authorisation. The security code is missing, because no security code is ever stored.
 */
export async function toAuthorizationClaim(app: App, claim: TakenOverClaim): Promise<AuthorizationClaim> {
  const { merchantAccountId, id, sealedCard } = claim.operation;
  const means = await openMeans(app.vault, merchantAccountId, id, sealedCard);
  return { ...claim, ...means, alternatives: [], ruling: null, standing: WELL };
}
