import { next } from '../../../kernel/machine.ts';
import type { Db, Tx } from '../../../platform/database/db.ts';
import { prepareFile } from '../../../platform/database/statement.ts';
import type { Prisma, RetryPlan as Row } from '../../../platform/generated/prisma/client.ts';
import { isUuid } from '../../../platform/ids.ts';
import type { Transaction } from '../model/transaction.ts';
import {
  retryPlanLifecycle,
  type RetryPlan,
  type RetryPlanStep,
  type RetrySchedule,
} from '../retry-rules/plan.ts';

/** Reads the plans of payments, in no order. Leaves out payments without a plan. */
export async function readRetryPlans(
  { prisma }: Pick<Db, 'prisma'>,
  merchantAccountId: string,
  transactionIds: readonly string[],
): Promise<readonly RetryPlan[]> {
  const where = { merchantAccountId, transactionId: { in: transactionIds.filter(isUuid) } };
  return (await prisma.retryPlan.findMany({ where })).map(toPlan);
}

/** Reads the plan of a payment. Null without a plan. */
export const readRetryPlan = async (
  db: Pick<Db, 'prisma'>,
  { merchantAccountId, transactionId }: PlanOf,
): Promise<RetryPlan | null> => (await readRetryPlans(db, merchantAccountId, [transactionId]))[0] ?? null;

/** Names the plan of a payment. */
export type PlanOf = Pick<RetryPlan, 'merchantAccountId' | 'transactionId'>;

type Patch = Partial<
  Pick<RetryPlan, 'reason' | 'declinedAt' | 'endsAt' | 'afterOperationId' | 'nextTryAt' | 'nextLookAt'>
>;

/**
 * Changes an active plan. One UPDATE, which writes only if nobody claimed a try or read another refusal meanwhile.
 * A step also ends the plan. Returns the changed plan. Null means that another process was first.
 */
export async function changePlan(
  tx: Tx,
  { merchantAccountId, transactionId, status, tries, afterOperationId }: RetryPlan,
  step: RetryPlanStep | null,
  patch: Patch & Pick<RetryPlan, 'updatedAt'>,
): Promise<RetryPlan | null> {
  const becomes = step === null ? status : next(retryPlanLifecycle, status, step);
  if (status !== 'active' || becomes === null) return null;
  const ended = step === null ? {} : { nextTryAt: null, nextLookAt: null };
  const { count } = await tx.retryPlan.updateMany({
    where: { merchantAccountId, transactionId, status, tries, afterOperationId },
    data: { ...patch, ...ended, status: becomes },
  });
  if (count === 0) return null;
  const row = await tx.retryPlan.findFirst({ where: { merchantAccountId, transactionId } });
  return row && toPlan(row);
}

const claimStatement = prepareFile(import.meta, 'claim-due-retry-plans.sql');

/** Claims due plans, at most `limit`. Nobody else looks at them before the end of the lease. */
export const claimDuePlans = (
  db: Db,
  claim: { readonly now: Date; readonly leaseUntil: Date; readonly limit: number },
): Promise<readonly PlanOf[]> => db.query<PlanOf>(claimStatement(claim));

const countStatement = prepareFile(import.meta, 'count-card-attempts.sql');

/** Counts the authorisations of a payment's card for its amount since a moment, up to `most`. */
export async function countCardAttempts(
  db: Db,
  { merchantAccountId, paymentMethodId, amount, giftCardAmount, currency }: Transaction,
  { since, most }: { readonly since: Date; readonly most: number },
): Promise<number> {
  const [row] = await db.query<{ attempts: number }>(
    countStatement({
      ...{ account: merchantAccountId, method: paymentMethodId, amount: amount - giftCardAmount, currency },
      ...{ since, most },
    }),
  );
  return row?.attempts ?? 0;
}

/** Converts a row. The database checks the words, and only the checked input writes a schedule. */
const toPlan = ({ schedule, ...row }: Row): RetryPlan =>
  ({ ...row, schedule: scheduleOf(schedule) }) as RetryPlan;

const scheduleOf = (schedule: Prisma.JsonValue): RetrySchedule => schedule as unknown as RetrySchedule;
