import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { claimDuePlans } from '../../../src/modules/transactions/retry-plans/plans.sql.ts';
import { query } from '../../support/database.ts';
import { HOUR, startPlans, type PlanHarness } from './harness.ts';

let harness: PlanHarness;
beforeAll(async () => {
  harness = await startPlans();
});
afterAll(() => harness.stop());

/** Copies a refused payment and its plan, `count` times, to a merchant account. */
async function copies(
  id: string,
  account: string,
  { count, lookAt }: { count: number; lookAt: Date },
): Promise<void> {
  const url = harness.server.app.config.DATABASE_URL ?? '';
  await query(
    url,
    `INSERT INTO merchant_account (id, display_name, created_at, updated_at) VALUES ($1, $1, now(), now())
     ON CONFLICT DO NOTHING`,
    [account],
  );
  const columns = 'status, intent, amount, currency, method, created_at, updated_at';
  const plan = 'schedule, until_days, status, created_at, updated_at';
  await query(
    url,
    `WITH made AS (
       INSERT INTO transaction (merchant_account_id, id, ${columns})
       SELECT $1, gen_random_uuid(), ${columns} FROM transaction, generate_series(1, $2) WHERE id = $3
       RETURNING merchant_account_id, id)
     INSERT INTO transaction_retry_plan (merchant_account_id, transaction_id, next_look_at, ${plan})
     SELECT m.merchant_account_id, m.id, $4, ${plan} FROM transaction_retry_plan, made m WHERE transaction_id = $3`,
    [account, count, id, lookAt],
  );
}

it('lets the merchant accounts take turns, and gives each plan to one claim', async () => {
  const id = await harness.refused();
  const { app } = harness.server;
  const now = app.clock.now();
  const at = (hours: number): Date => new Date(now.getTime() - hours * HOUR);
  await copies(id, 'busy', { count: 40, lookAt: at(5) });
  await copies(id, 'quiet', { count: 2, lookAt: at(1) });
  await copies(id, 'later', { count: 3, lookAt: at(-1) });
  const leaseUntil = new Date(now.getTime() + 60_000);
  const claim = () => claimDuePlans(app.db, { now, leaseUntil, limit: 4 });

  const first = await claim();
  const accounts = first.map(({ merchantAccountId }) => merchantAccountId);
  expect(accounts.filter((account) => account === 'quiet')).toHaveLength(2);
  expect(accounts.filter((account) => account === 'busy')).toHaveLength(2);

  const rest = await Promise.all(Array.from({ length: 12 }, claim));
  const more = await claim();
  const all = [...first, ...rest.flat(), ...more].map(({ transactionId }) => transactionId);
  expect(new Set(all).size).toBe(all.length);
  for (let left = await claim(); left.length > 0; left = await claim())
    all.push(...left.map(({ transactionId }) => transactionId));
  expect(all).toHaveLength(42);
});
