import type { App } from '../../app.ts';
import { startLoop, type Loop } from '../../platform/loop.ts';
import { waitsForJudgement } from './anti-fraud/judge.ts';
import { concludeChallenge } from './authentication/challenge.ts';
import { carryOut } from './carry-out.ts';
import { waitsForGiftCards } from './gift-cards/redeem.ts';
import { again, learnOutcome } from './recovery.ts';
import { leaseOf } from './schedule.ts';
import { current, release, releaseSoon, settle, type Operated } from './settle.ts';
import type { Claimed } from './store/claim.ts';
import { claimDue, hasten } from './store/due.ts';

/** How many operations one process looks at at once, and of them at one payment service. */
const LOOKS_MAX = 32;
const LOOKS_PER_SERVICE_MAX = 8;

/** How often it looks for what is due when there was nothing more to do. */
const IDLE_MS = 1_000;

/**
 * Starts reconciliation: operations whose caller died, or whose outcome is unknown or still being decided, are looked up at
 * the provider or sent again under the same key, and settled by the same settle. Any number of processes may run it. One
 * look that takes long keeps no other waiting; stopping waits for those under way.
 */
export function startReconciler(app: App): Loop {
  const underWay = new Set<Promise<void>>();
  const loop: Loop = startLoop({
    name: 'reconciler',
    idleMs: IDLE_MS,
    clock: app.clock,
    log: app.log,
    run: async () => {
      for (const claimed of await takeUp(app, LOOKS_MAX - underWay.size)) {
        const look = reconcile(app, claimed).finally(() => {
          underWay.delete(look);
          // Its place is free, and what it has learned may have brought others forward.
          loop.poke();
        });
        underWay.add(look);
      }
      return false;
    },
  });
  return {
    poke: () => loop.poke(),
    stop: async () => {
      await loop.stop();
      await Promise.all(underWay);
    },
  };
}

/** Takes up what is due now and waits for all of it; true when there may be more. */
export async function reconcileDue(app: App): Promise<boolean> {
  const due = await takeUp(app, LOOKS_MAX);
  await Promise.all(due.map((claimed) => reconcile(app, claimed)));
  return due.length > 0;
}

async function takeUp(app: App, limit: number): Promise<readonly Claimed[]> {
  if (limit <= 0) return [];
  const now = app.clock.now();
  const lease = leaseOf(app, now);
  return claimDue(app.db, now, lease, { limit, perService: LOOKS_PER_SERVICE_MAX });
}

/** One that throws is logged and comes up again after its lease. */
async function reconcile(app: App, claimed: Claimed): Promise<void> {
  try {
    await reconcileOne(app, claimed);
  } catch (error) {
    app.log.error({ operationId: claimed.operation.id, err: error }, 'An operation could not be reconciled.');
  }
}

/** Learns the outcome of an operation that was taken up, and settles with it; the answer is what stands then. */
export async function reconcileOne(app: App, claimed: Claimed): Promise<Operated> {
  const ready = await concludeChallenge(app, claimed);
  if (!ready) return current(app, claimed.operation);
  if (waitsForJudgement(ready) || waitsForGiftCards(ready)) return carryOut(app, await again(app, ready));
  const { operation, outcome } = await learnOutcome(app, ready);
  if (outcome === 'taken_over') return current(app, operation);
  if (outcome === 'not_found' || outcome === 'nobody_to_ask') {
    await release(app, operation, operation.unknownCause, outcome === 'not_found');
    return current(app, operation);
  }
  if (outcome.kind === 'unknown' && ready.completed) {
    await releaseSoon(app, operation);
    return current(app, operation);
  }
  const stands = await settle(app, { ...ready, operation }, outcome);
  if (outcome.kind !== 'unknown' && operation.unknownAt) await hasten(app.db, operation, app.clock.now());
  return stands;
}
