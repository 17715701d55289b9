import type { Operation } from '../model/operation.ts';
import type { RetryPlan, RetryPlanReason } from './plan.ts';
import type { Transaction } from '../model/transaction.ts';
import { adviceOf } from './advice.ts';
import { nextTryAt } from './times.ts';

const DAY_MS = 24 * 3_600_000;

/** The facts that decide about a plan, as one read found them. */
export type PlanFacts = {
  readonly plan: RetryPlan;
  readonly transaction: Pick<Transaction, 'status' | 'authorizedAt' | 'canceledAt' | 'voidPending'>;
  /** The latest authorisation that was requested here. */
  readonly last: Pick<
    Operation,
    'id' | 'status' | 'errorCode' | 'merchantAdviceCode' | 'createdAt' | 'settledAt' | 'updatedAt'
  >;
  /** True while any operation of the payment is pending. */
  readonly isOpen: boolean;
  /** True when the card has as many authorisations as its scheme allows. */
  readonly isAtLimit: boolean;
  readonly now: Date;
};

/** The next change of a plan. */
export type PlanChange =
  /** A decision about the payment is pending, or the next try is later. */
  | { readonly kind: 'look_later'; readonly at: Date }
  | {
      readonly kind: 'schedule';
      readonly nextTryAt: Date;
      readonly declinedAt: Date;
      readonly endsAt: Date;
      readonly afterOperationId: string;
    }
  | { readonly kind: 'try' }
  | { readonly kind: 'succeed' }
  | { readonly kind: 'exhaust'; readonly reason: 'no_time_left' | 'scheme_limit' }
  | { readonly kind: 'end'; readonly reason: RetryPlanReason };

/**
 * Decides the next step of an active plan. Pure, and the same for the same facts.
 *
 * A try follows a sure refusal alone. While an outcome is unknown or pending, the plan waits. A payment that was authorised, by
 * whatever way, ends the plan. So does a cancelled payment.
 */
export function decidePlan(facts: PlanFacts): PlanChange {
  const { plan, transaction, last, now } = facts;
  if (transaction.authorizedAt !== null) return { kind: 'succeed' };
  if (transaction.canceledAt !== null) return { kind: 'end', reason: 'payment_canceled' };
  if (facts.isOpen || transaction.voidPending || !isRefused(facts)) return lookLater(last.createdAt, now);
  if (plan.afterOperationId !== last.id) return afterRefusal(facts);
  if (plan.nextTryAt === null || now < plan.nextTryAt)
    return { kind: 'look_later', at: plan.nextTryAt ?? lookLater(last.createdAt, now).at };
  return facts.isAtLimit
    ? scheduled(facts, { after: now, notBefore: null }, 'scheme_limit')
    : { kind: 'try' };
}

const isRefused = ({ transaction: { status }, last }: PlanFacts): boolean =>
  (status === 'authorization_declined' || status === 'authorization_failed') &&
  (last.status === 'declined' || last.status === 'failed');

function afterRefusal(facts: PlanFacts): PlanChange {
  const { errorCode, merchantAdviceCode } = facts.last;
  const after = refusedAt(facts);
  const advice = adviceOf({ errorCode, merchantAdviceCode, at: after });
  if (advice.kind === 'never') return { kind: 'end', reason: advice.reason };
  return scheduled(facts, { after, notBefore: advice.notBefore }, 'no_time_left');
}

const refusedAt = ({ last }: PlanFacts): Date => last.settledAt ?? last.updatedAt;

/** Schedules the next try, or exhausts the plan for a reason when no time is left. */
function scheduled(
  facts: PlanFacts,
  { after, notBefore }: { readonly after: Date; readonly notBefore: Date | null },
  reason: 'no_time_left' | 'scheme_limit',
): PlanChange {
  const { plan, last } = facts;
  const declinedAt = plan.declinedAt ?? refusedAt(facts);
  const endsAt = plan.endsAt ?? new Date(declinedAt.getTime() + plan.untilDays * DAY_MS);
  const next = nextTryAt(plan.schedule, { declinedAt, endsAt, after, notBefore });
  if (next === null) return { kind: 'exhaust', reason };
  return { kind: 'schedule', nextTryAt: next, declinedAt, endsAt, afterOperationId: last.id };
}

const LOOK_MIN_MS = 60_000;
const LOOK_MAX_MS = 3_600_000;

/** Looks again after a quarter of the age of the authorisation, between a minute and an hour. */
function lookLater(since: Date, now: Date): { readonly kind: 'look_later'; readonly at: Date } {
  const age = now.getTime() - since.getTime();
  const pause = Math.min(Math.max(age / 4, LOOK_MIN_MS), LOOK_MAX_MS);
  return { kind: 'look_later', at: new Date(now.getTime() + Math.round(pause)) };
}
