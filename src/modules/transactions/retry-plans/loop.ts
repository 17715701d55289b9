import type { App } from '../../../app.ts';
import type { Loop } from '../../../platform/loop.ts';
import { startWorks, type Work } from '../../../platform/works.ts';
import { advancePlan } from './advance.ts';
import { claimDuePlans, type PlanOf } from './plans.sql.ts';

/** The most plans that one process works on at once. A try waits for its provider. */
const AT_ONCE = 16;

/** The time for one look at a plan. A claimed try has a longer time of its own. */
const LEASE_MS = 60_000;

/** The pause between two rounds of an idle loop. */
const IDLE_MS = 2_000;

/**
 * Starts the loop that makes due tries of plans. Any number of processes may run the loop. A claim keeps two processes from one plan,
 * and the merchant accounts take turns. A stop waits for the tries under way.
 */
export const startRetryPlans = (app: App): Loop =>
  startWorks({
    ...{ name: 'retry plans', idleMs: IDLE_MS, clock: app.clock, log: app.log },
    takeUp: (underWay) => takeUp(app, AT_ONCE - underWay),
  });

/** Looks at all plans that are due now, and waits for them. True when more may be due. */
export async function keepRetryPlans(app: App): Promise<boolean> {
  const due = await takeUp(app, AT_ONCE);
  await Promise.all(due.map((work) => work()));
  return due.length > 0;
}

async function takeUp(app: App, limit: number): Promise<readonly Work[]> {
  if (limit <= 0) return [];
  const now = app.clock.now();
  const leaseUntil = new Date(now.getTime() + LEASE_MS);
  const due = await claimDuePlans(app.db, { now, leaseUntil, limit });
  return due.map((plan) => () => advance(app, plan));
}

/** Works on one plan. A plan that throws is logged, and looked at again after its lease. */
async function advance(app: App, plan: PlanOf): Promise<void> {
  try {
    await advancePlan(app, plan);
  } catch (error) {
    app.log.error({ ...plan, err: error }, 'A retry plan could not go on.');
  }
}
