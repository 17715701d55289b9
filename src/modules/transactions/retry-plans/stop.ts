import type { App, Viewer } from '../../../app.ts';
import { notFound, type NotFound } from '../../../kernel/refusal.ts';
import { ok, refuse, type Result } from '../../../kernel/result.ts';
import { failpoint } from '../../../platform/failpoint.ts';
import { inOrderOf, isUuid } from '../../../platform/ids.ts';
import type { RetryPlan } from '../retry-rules/plan.ts';
import { recordPlanEvent } from './event.ts';
import { changePlan, readRetryPlan, readRetryPlans } from './plans.sql.ts';

/** The attempts to stop a plan while workers change it. A worker changes a plan once for each try. */
const ATTEMPTS = 5;

/**
 * Stops the plan of a payment. Commits once: the stop, its audit entry and its event. No further try begins after the commit. A try
 * under way goes on, and may authorise the payment. A plan that is over stays as it is, so a repeat changes nothing.
 */
export async function stopRetryPlan(
  app: App,
  { merchantAccountId }: Viewer,
  transactionId: string,
): Promise<Result<RetryPlan, NotFound>> {
  if (!isUuid(transactionId)) return refuse(NO_PLAN);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const plan = await readRetryPlan(app.db, { merchantAccountId, transactionId });
    if (!plan) return refuse(NO_PLAN);
    if (plan.status !== 'active') return ok(plan);
    await failpoint('retry-plan.stopping');
    const stopped = await stop(app, plan);
    if (stopped) return ok(stopped);
  }
  throw new Error(`The retry plan of ${transactionId} changed at each attempt to stop it`);
}

const NO_PLAN = notFound('retry plan', ['id']);

async function stop(app: App, plan: RetryPlan): Promise<RetryPlan | null> {
  const stopped = await app.db.transaction(async (tx) => {
    const changed = await changePlan(tx, plan, 'stop', { updatedAt: app.clock.now() });
    if (changed) await recordPlanEvent(app, tx, 'stopped', changed);
    return changed;
  });
  if (stopped) app.wakeRelay();
  return stopped;
}

/** Returns the plans of payments in the order of the ids. Null for a payment without a plan, or of another account. */
export async function findRetryPlans(
  app: App,
  { merchantAccountId }: Viewer,
  transactionIds: readonly string[],
): Promise<readonly (RetryPlan | null)[]> {
  const found = await readRetryPlans(app.db, merchantAccountId, transactionIds);
  return inOrderOf(
    transactionIds,
    found.map((plan) => ({ ...plan, id: plan.transactionId })),
  );
}
