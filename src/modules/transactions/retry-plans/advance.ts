import type { App } from '../../../app.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { leaseOf } from '../../payment-services/index.ts';
import { providerKeysOf } from '../../idempotency/index.ts';
import { runOperation } from '../engine/run-operation.ts';
import { orHeld } from '../hold/held-back.ts';
import { sealMeans } from '../instrument/sealed-means.ts';
import { mutationOf } from '../model/operation.ts';
import type { RetryPlan, RetryPlanReason, RetryPlanStep } from '../retry-rules/plan.ts';
import type { Transaction } from '../model/transaction.ts';
import { attemptsMaxOf, LIMIT_MS } from '../retry-rules/advice.ts';
import { decidePlan, type PlanChange } from '../retry-rules/decide.ts';
import { recordPlanEvent, type RetryPlanEvent } from './event.ts';
import { claimTry, readPlannedPayment, type PlannedPayment } from './later-try.sql.ts';
import { meansOfTry } from './means-of-try.ts';
import { changePlan, countCardAttempts, readRetryPlan, type PlanOf } from './plans.sql.ts';

/**
 * Takes a plan as far as it goes now. Reads the latest outcome, schedules the next try, makes a due try, and ends the plan. Each
 * change commits once, with its event. Two processes at one plan write each change once, and make each try once.
 *
 * A crash leaves the plan with its next look. A claimed try is an operation like any other, so reconciliation finds its outcome.
 */
export async function advancePlan(app: App, of: PlanOf): Promise<void> {
  // A refusal, its schedule, a due try and its outcome are four steps. The bound only guards against a fault of the rules.
  for (let step = 0; step < STEPS_MAX; step += 1) {
    const plan = await readRetryPlan(app.db, of);
    if (plan?.status !== 'active') return;
    const payment = await readPlannedPayment(app.db, of);
    const change = await decide(app, plan, payment);
    const goesOn = change.kind === 'try' ? await makeTry(app, plan, payment) : await write(app, plan, change);
    if (!goesOn) return;
  }
}

const STEPS_MAX = 8;

async function decide(app: App, plan: RetryPlan, payment: PlannedPayment): Promise<PlanChange> {
  const facts = { ...payment, plan, isAtLimit: false, now: app.clock.now() };
  const change = decidePlan(facts);
  if (change.kind !== 'try') return change;
  return decidePlan({ ...facts, isAtLimit: await isAtLimit(app, payment.transaction) });
}

/** The scheme of the card. The buyer's choice of a network counts before the network of the number. */
const schemeOf = ({ cardNetwork, cardScheme }: Transaction): string | null => cardNetwork ?? cardScheme;

/** The moment since when a scheme counts. */
const countedSince = (now: Date): Date => new Date(now.getTime() - LIMIT_MS);

async function isAtLimit(app: App, transaction: Transaction): Promise<boolean> {
  const most = attemptsMaxOf(schemeOf(transaction));
  if (most === null || transaction.paymentMethodId === null) return false;
  const since = countedSince(app.clock.now());
  return (await countCardAttempts(app.db, transaction, { since, most })) >= most;
}

/** Writes a change of a plan. True when another step may follow at once. */
async function write(
  app: App,
  plan: RetryPlan,
  change: Exclude<PlanChange, { kind: 'try' }>,
): Promise<boolean> {
  switch (change.kind) {
    case 'look_later':
      await app.db.transaction((tx) =>
        changePlan(tx, plan, null, { updatedAt: plan.updatedAt, nextLookAt: change.at }),
      );
      return false;
    case 'schedule': {
      const { kind: _, ...scheduled } = change;
      const patch = { ...scheduled, nextLookAt: change.nextTryAt };
      return (
        (await record(app, plan, { step: null, event: 'scheduled', patch })) &&
        change.nextTryAt <= app.clock.now()
      );
    }
    case 'succeed':
      // A payment without a refusal has nothing to tell: its plan never began.
      await record(app, plan, { step: 'succeed', event: plan.declinedAt ? 'succeeded' : null, patch: {} });
      return false;
    case 'exhaust':
      await record(app, plan, { step: 'exhaust', event: 'exhausted', patch: { reason: change.reason } });
      return false;
    case 'end':
      await record(app, plan, { step: 'end', event: 'ended', patch: { reason: change.reason } });
      return false;
  }
}

type Recorded = {
  readonly step: RetryPlanStep | null;
  /** Null records no event. */
  readonly event: RetryPlanEvent | null;
  readonly patch: Omit<Parameters<typeof changePlan>[3], 'updatedAt'>;
};

/** Writes a change and its event in one commit. False when another process was first. */
async function record(app: App, plan: RetryPlan, { step, event, patch }: Recorded): Promise<boolean> {
  const changed = await app.db.transaction(async (tx) => {
    const written = await changePlan(tx, plan, step, { updatedAt: app.clock.now(), ...patch });
    if (written && event) await recordPlanEvent(app, tx, event, written);
    return written;
  });
  if (changed) app.wakeRelay();
  return changed !== null;
}

/** The time from the end of a try's lease to the next look at its plan. A process that dies leaves the plan so. */
const LOOK_AFTER_MS = 1_000;

/**
 * Makes a due try: claim, call, settle. True when the outcome may be read now. False when another process was first, when payments
 * are held back, or when the try ended the plan.
 */
async function makeTry(app: App, plan: RetryPlan, payment: PlannedPayment): Promise<boolean> {
  const { transaction, last } = payment;
  const means = await meansOfTry(app, transaction);
  if (typeof means === 'string') return end(app, plan, means);
  const now = app.clock.now();
  const operationId = app.ids.uuid();
  const leaseUntil = leaseOf(app, now);
  await failpoint('retry-plan.claiming');
  const claimed = await orHeld(
    claimTry(app.db, {
      ...{ plan, payment, operationId, now, leaseUntil, since: countedSince(now), ...means.card },
      fingerprint: means.fingerprint,
      choice: last.status === 'declined' ? 'after_decline' : 'after_failure',
      providerKeys: await keysOf(app, plan),
      sealedCard: await sealMeans(app.vault, plan.merchantAccountId, operationId, means.means),
      attemptsMax: attemptsMaxOf(schemeOf({ ...transaction, ...means.card })),
      lookAt: new Date(leaseUntil.getTime() + LOOK_AFTER_MS),
    }),
  );
  if (!claimed) return false;
  await failpoint('retry-plan.claimed');
  await runOperation(app, {
    ...{ ...claimed, ...means.means, connection: means.service, authorizationKey: null },
    ...{ alternatives: [], ruling: null },
  });
  return true;
}

/**
 * Derives the keys that a try may have at the provider. A database that was restored to a moment before the try gives the provider
 * the same key again.
 */
const keysOf = (
  app: App,
  { merchantAccountId, transactionId, tries }: RetryPlan,
): Promise<readonly string[]> =>
  providerKeysOf(app, {
    ...{ merchantAccountId, mutation: mutationOf.authorize },
    ...{ key: `${transactionId} ${tries + 1}`, part: 'retry plan' },
  });

async function end(app: App, plan: RetryPlan, reason: RetryPlanReason): Promise<false> {
  await record(app, plan, { step: 'end', event: 'ended', patch: { reason } });
  return false;
}
