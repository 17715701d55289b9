import type { App } from '../../../app.ts';
import type { Tx } from '../../../platform/database/db.ts';
import { recordEvent } from '../../event-log/index.ts';
import type { RetryPlan } from '../retry-rules/plan.ts';

export type RetryPlanEvent = 'scheduled' | 'succeeded' | 'exhausted' | 'stopped' | 'ended';

/** Records `retry-plan.<event>`, in the transaction of the change. */
export const recordPlanEvent = (app: App, tx: Tx, event: RetryPlanEvent, plan: RetryPlan): Promise<void> =>
  recordEvent(tx, {
    ...{ merchantAccountId: plan.merchantAccountId, id: app.ids.uuid() },
    ...{ createdAt: app.clock.now(), production: app.config.production },
    name: `retry-plan.${event}`,
    target: {
      type: 'retry-plan',
      // A payment has at most one plan, so the plan has the id of the payment.
      id: plan.transactionId,
      transaction_id: plan.transactionId,
      status: plan.status,
      reason: plan.reason,
      tries: plan.tries,
      next_try_at: plan.nextTryAt?.toISOString() ?? null,
      ends_at: plan.endsAt?.toISOString() ?? null,
      created_at: plan.createdAt.toISOString(),
      updated_at: plan.updatedAt.toISOString(),
    },
  });
