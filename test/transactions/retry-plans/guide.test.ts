import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { retriedLater } from '../../../src/connectors/codes/decline-codes.ts';
import { TRIES_MAX, UNTIL_DAYS, UNTIL_DAYS_MAX } from '../../../src/modules/transactions/retry-rules/plan.ts';
import { createService } from '../harness.ts';
import { FUNDS, startPlans, type PlanHarness, type ShownPlan } from './harness.ts';

const page = readFileSync('src/docs/guides/retry-plans.md', 'utf8');

const blocksOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );

let harness: PlanHarness;
beforeAll(async () => {
  harness = await startPlans();
  await createService(harness.server, harness.provider.url, { currencies: ['EUR'] });
});
afterAll(() => harness.stop());

type Answer = {
  readonly payload: {
    readonly transaction: {
      readonly id: string;
      readonly status: string;
      readonly retryPlan: ShownPlan;
    } | null;
    readonly userErrors: readonly unknown[];
  };
};

it('the documents ask for a plan, and stop it', async () => {
  const [create = '', stop = ''] = blocksOf('graphql');
  harness.provider.declineNext(FUNDS);
  const created = await harness.ask<Answer>(
    create.replace('createTransaction', 'payload: createTransaction'),
    {
      id: await harness.store(),
    },
  );
  const { transaction, userErrors } = created.payload;
  expect({ status: transaction?.status, userErrors }).toEqual({
    status: 'AUTHORIZATION_DECLINED',
    userErrors: [],
  });
  expect(transaction?.retryPlan).toMatchObject({ status: 'ACTIVE' });
  expect(transaction?.retryPlan.nextTryAt).not.toBeNull();

  const stopped = await harness.ask<Answer>(stop.replace('stopRetryPlan', 'payload: stopRetryPlan'), {
    id: transaction?.id,
  });
  expect(stopped.payload).toMatchObject({
    transaction: { retryPlan: { status: 'STOPPED', tries: [] } },
    userErrors: [],
  });
});

it('the example of paydays makes a plan', async () => {
  harness.provider.declineNext(FUNDS);
  const [paydays = ''] = blocksOf('json');
  const { transaction } = await harness.pay({ retryPlan: JSON.parse(paydays) as object });

  expect(await harness.plan(transaction?.id ?? '')).toMatchObject({ status: 'ACTIVE' });
});

it('names the bounds and every refusal that time may mend', () => {
  expect(page).toContain(`1 to ${TRIES_MAX} whole hours`);
  expect(page).toContain(`1 to ${UNTIL_DAYS_MAX}, by default ${UNTIL_DAYS}`);
  expect(retriedLater.filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});
