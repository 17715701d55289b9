import type { App } from '../../../app.ts';
import { invalidInput, type InvalidInput } from '../../../kernel/refusal.ts';
import { leaseOf } from '../../payment-services/index.ts';
import type { CreateTransactionInput } from '../input/inputs.ts';
import { STORED_CARDS_ONLY } from '../retry-rules/input.ts';
import type { Paying } from '../instrument/paying.ts';
import type { Operated } from '../model/operation.ts';
import { advancePlan } from '../retry-plans/advance.ts';
import type { NewTransaction } from './create.sql.ts';

type Planned = Pick<CreateTransactionInput, 'retryPlan'>;

/** Refuses a plan of later tries for a stored payment method that is no card, or returns null. */
export const refusePlanOf = (
  { retryPlan }: Planned,
  { instrumentType }: Pick<Paying, 'instrumentType'>,
): InvalidInput | null =>
  retryPlan === null || (instrumentType !== null && CARDS.has(instrumentType))
    ? null
    : invalidInput(['input', 'retryPlan'], STORED_CARDS_ONLY);

const CARDS: ReadonlySet<string> = new Set(['pan', 'network_token', 'card_token']);

/** The time for this process to read the outcome of a payment, after the lease of its authorisation. Then a worker does. */
const LOOK_AFTER_MS = 1_000;

/** Returns the plan to write with a payment. */
export const planOf = (
  app: App,
  { retryPlan }: Planned,
  now: Date,
): Pick<NewTransaction, 'retryPlan' | 'lookAt'> => ({
  retryPlan,
  lookAt: new Date(leaseOf(app, now).getTime() + LOOK_AFTER_MS),
});

/**
 * Reads the outcome of a payment into its plan, after the payment has its outcome. The payment never depends on that: a failure is
 * logged, and a worker reads the outcome later.
 */
export async function planAfter(
  app: App,
  { retryPlan }: Planned,
  authorized: Promise<Operated>,
): Promise<Operated> {
  const operated = await authorized;
  if (retryPlan === null) return operated;
  const { merchantAccountId, id: transactionId } = operated.transaction;
  try {
    await advancePlan(app, { merchantAccountId, transactionId });
  } catch (error) {
    app.log.error({ merchantAccountId, transactionId, err: error }, 'A retry plan could not begin.');
  }
  return operated;
}
