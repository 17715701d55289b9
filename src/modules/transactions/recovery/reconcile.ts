import type { App } from '../../../app.ts';
import type { Outcome } from '../../../connectors/interface/outcome.ts';
import type { Loop } from '../../../platform/loop.ts';
import { startWorks } from '../../../platform/works.ts';
import { tracedAfter } from '../../../platform/tracing/trace.ts';
import { waitsForScreening } from '../authorize/anti-fraud/screen.ts';
import { concludeChallenge } from '../authorize/three-d-secure/challenge.ts';
import { refusalOf } from '../model/three-d-secure.ts';
import { authorize } from '../authorize/authorize.ts';
import { waitsForGiftCards } from '../authorize/split-tender/redeem.ts';
import { inquire, toAuthorizationClaim, type Learned } from './inquire.ts';
import { leaseOf } from '../../payment-services/index.ts';
import { current, releaseLease, releaseLeaseHeld, releaseLeaseSoon, settle } from '../settle/settle.ts';
import { sealAction } from '../awaiting/client-action.ts';
import type { Operated, Operation } from '../model/operation.ts';
import { createConcurrencyLimits, SMALLEST_LIMIT, type ConcurrencyLimits } from './provider-concurrency.ts';
import type { TakenOverClaim } from '../claim/claim.ts';
import { claimDue, retryNow } from '../claim/leases.sql.ts';
import { isHeld } from '../hold/held-back.ts';
import { reopenApproval } from '../claim/reopen-approval.sql.ts';

/**
 * The most operations that one process inquires about at once, in all and for each database connection. An inquiry needs a
 * connection for moments only, but many answers may come together.
 */
const LOOKS_MAX = 128;
const LOOKS_PER_CONNECTION = 8;

/** The largest part of them at one payment service. Should that service fall silent, the others still have room. */
const SHARE_OF_ONE = 1 / 2;

/** The pause between two rounds of an idle loop. */
const IDLE_MS = 1_000;

/**
 * Starts reconciliation. Reconciliation takes operations with a dead caller, an unknown outcome, or a pending decision. It looks
 * such an operation up at the provider or sends it again under the same key. The usual settle books the outcome. Any number of
 * processes may run reconciliation. A slow inquiry delays no other. Stopping waits for the inquiries under way.
 */
export function startReconciler(app: App): Loop {
  const limits = limitsFor(app);
  return startWorks({
    ...{ name: 'reconciler', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    // An answer may also make other operations due.
    takeUp: async (underWay) => {
      const due = await takeUp(app, limits, looksMaxOf(app) - underWay);
      return due.map((claimed) => () => reconcile(app, claimed, limits));
    },
  });
}

/** Reconciles the due operations and waits for all of them. True when more may be due. */
export async function reconcileDue(app: App): Promise<boolean> {
  const limits = limitsFor(app);
  const due = await takeUp(app, limits, looksMaxOf(app));
  await Promise.all(due.map((claimed) => reconcile(app, claimed, limits)));
  return due.length > 0;
}

const looksMaxOf = ({ config }: Pick<App, 'config'>): number =>
  Math.min(LOOKS_MAX, LOOKS_PER_CONNECTION * config.DATABASE_POOL);

const limitsFor = (app: Pick<App, 'config'>): ConcurrencyLimits =>
  createConcurrencyLimits(looksMaxOf(app) * SHARE_OF_ONE);

async function takeUp(
  app: App,
  limits: ConcurrencyLimits,
  limit: number,
): Promise<readonly TakenOverClaim[]> {
  if (limit <= 0) return [];
  const now = app.clock.now();
  const claim = { limit, perService: SMALLEST_LIMIT, grown: limits.grown(now) };
  return claimDue(app.db, now, leaseOf(app, now), claim);
}

/** Reconciles one operation. An operation that throws is logged, and retried after its lease. */
async function reconcile(app: App, claimed: TakenOverClaim, limits: ConcurrencyLimits): Promise<void> {
  const { id, paymentServiceId, actor } = claimed.operation;
  const heard = (outcome: Learned['outcome']): void => {
    if (outcome === 'taken_over' || outcome === 'nobody_to_ask' || outcome === 'held_back') return;
    if (outcome !== 'not_found' && outcome.kind === 'unknown') limits.unanswered(paymentServiceId);
    else limits.answered(paymentServiceId, app.clock.now());
  };
  try {
    await tracedAfter(actor?.traceparent ?? null, { name: 'reconcile' }, () =>
      reconcileOne(app, claimed, heard),
    );
  } catch (error) {
    app.log.error({ operationId: id, err: error }, 'An operation could not be reconciled.');
  }
}

/**
 * Learns the outcome of a claimed operation and settles it. Returns the state after that. Calls `heard` with the result of the
 * inquiry.
 */
export async function reconcileOne(
  app: App,
  claimed: TakenOverClaim,
  heard: (outcome: Learned['outcome']) => void = () => undefined,
): Promise<Operated> {
  if (await waitsForHold(app, claimed.operation)) return releaseLeaseHeld(app, claimed.operation);
  const ready = await concludeChallenge(app, claimed);
  if (!ready) return current(app, claimed.operation);
  if (waitsForScreening(ready) || waitsForGiftCards(ready))
    return authorize(app, await toAuthorizationClaim(app, ready));
  // A failed authentication has ended the payment, so there is no inquiry.
  const refusal = ready.operation.kind === 'authorize' ? refusalOf(ready.transaction.threeDSecure) : null;
  if (refusal) return settle(app, ready, refusal);
  const { operation, outcome, askAgainBy = null } = await inquire(app, ready);
  heard(outcome);
  if (outcome === 'taken_over') return current(app, operation);
  if (outcome === 'held_back') return releaseLeaseHeld(app, operation);
  if (outcome === 'not_found' || outcome === 'nobody_to_ask') {
    await releaseLease(app, operation, operation.unknownCause, {
      never: outcome === 'nobody_to_ask',
      by: askAgainBy,
    });
    return current(app, operation);
  }
  if (isBackUndecided(ready, outcome))
    await reopenApproval(app.db, operation, await nextActionOf(app, operation, outcome));
  if (outcome.kind === 'unknown' && ready.resumes) {
    await releaseLeaseSoon(app, operation);
    return current(app, operation);
  }
  const stands = await settle(app, { ...ready, operation }, outcome);
  const wasSilent = operation.unknownAt !== null && operation.acceptedAt === null;
  if (outcome.kind !== 'unknown' && wasSilent) await retryNow(app.db, operation, app.clock.now());
  return stands;
}

/**
 * True for an unsent authorisation while payments are held back. It was sent since, if the restore lost its sending. So nothing
 * may end it before a person has looked at the provider.
 */
const waitsForHold = async (app: App, { kind, unsent }: Operation): Promise<boolean> =>
  kind === 'authorize' && unsent && (await isHeld(app.db));

/**
 * True when the buyer came back from the provider's page without a decision there. True as well when the client has a further step to
 * take. The buyer or the client may come back again.
 */
const isBackUndecided = ({ resumes }: TakenOverClaim, outcome: Outcome): boolean =>
  resumes &&
  outcome.kind === 'accepted' &&
  (outcome.approvalUrl !== undefined || outcome.clientAction !== undefined);

/** Seals the client's next action. Null when the client has the same action as before. */
const nextActionOf = async (app: App, operation: Operation, outcome: Outcome): Promise<string | null> =>
  outcome.kind === 'accepted' && outcome.clientAction !== undefined
    ? sealAction(app, operation, outcome.clientAction)
    : null;
