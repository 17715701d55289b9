import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { keepRetryPlans, reconcileDue } from '../../../src/modules/transactions/index.ts';
import { advancePlan } from '../../../src/modules/transactions/retry-plans/advance.ts';
import { setFailpoint } from '../../../src/platform/failpoint.ts';
import { createRandom, type Random } from '../../simulation/random.ts';
import { FUNDS, HOUR, startPlans, type PlanHarness } from './harness.ts';

// Random histories of one payment each: refusals, lost requests and answers, deaths, workers at once, and stops. The books of the
// provider judge them.

const HISTORIES = 60;
const ROUNDS = 8;
const HOURS = [1, 2, 5, 9, 20];

const PLACES = [
  ...['retry-plan.claiming', 'retry-plan.claimed', 'authorize.claimed', 'authorize.called'],
  ...['authorize.settling', 'authorize.settled', 'authorize.resending', 'authorize.resent'],
];

let harness: PlanHarness;
beforeAll(async () => {
  harness = await startPlans();
});
afterAll(() => harness.stop());

/** Kills the next process that reaches a place. Returns the way to take the death back. */
function dieAt(place: string): () => void {
  const remove = setFailpoint(place, () => {
    remove();
    throw new Error('The process died.');
  });
  return remove;
}

/** Lets several workers work at once. A worker that dies is another process at the next round. */
async function work(id: string, random: Random): Promise<void> {
  const { app, merchantAccountId } = harness.server;
  const workers = [
    () => keepRetryPlans(app),
    () => reconcileDue(app),
    () => advancePlan(app, { merchantAccountId, transactionId: id }),
  ];
  await Promise.allSettled(Array.from({ length: random.int(1, 4) }, () => random.pick(workers)()));
}

async function play(random: Random): Promise<string> {
  const { provider } = harness;
  provider.declineNext(FUNDS);
  const { transaction } = await harness.pay({ retryPlan: { afterHours: HOURS, untilDays: 2 } });
  const id = transaction?.id ?? '';
  for (let round = 0; round < ROUNDS; round += 1) {
    if (random.chance(0.7))
      provider.declineNext(random.pick([FUNDS, { result: 'error', code: 'service_error' } as const]));
    if (random.chance(0.4))
      provider.failNext(random.pick(['lose_request', 'lose_answer', 'error_after_work']));
    const revive = random.chance(0.5) ? dieAt(random.pick(PLACES)) : null;
    await harness.pass(random.pick([30_000, 90_000, HOUR, 3 * HOUR]));
    await work(id, random);
    revive?.();
    if (random.chance(0.04)) await harness.stopPlan(id);
  }
  return id;
}

/** Lets everything end that can end. The issuer declines all that is left, or approves. */
async function calm(id: string, declines: boolean): Promise<void> {
  harness.provider.behave();
  if (declines) harness.provider.declineNext(...HOURS.map(() => FUNDS));
  for (let round = 0; round < 30; round += 1) {
    await harness.pass(2 * HOUR);
    while (await reconcileDue(harness.server.app));
    while (await keepRetryPlans(harness.server.app));
  }
  expect((await harness.plan(id))?.status).not.toBe('ACTIVE');
}

it('authorises a payment at most once, and books what the provider did', async () => {
  const ends: Record<string, number> = {};
  for (let history = 0; history < HISTORIES; history += 1) {
    const id = await play(createRandom(history, 1));
    await calm(id, history % 2 === 0);
    await judge(id, ends);
  }
  // The histories are of use only if they end in several ways.
  expect(Object.keys(ends).toSorted()).toEqual(expect.arrayContaining(['EXHAUSTED', 'STOPPED', 'SUCCEEDED']));
});

async function judge(id: string, ends: Record<string, number>): Promise<void> {
  const { prisma } = harness.server.app.db;
  const operations = await prisma.operation.findMany({
    where: { transactionId: id },
    orderBy: { id: 'asc' },
  });
  const ledger = await prisma.ledgerEntry.findMany({ where: { transactionId: id } });
  const plan = await harness.plan(id);
  const transaction = await harness.transaction(id);
  const approved = operations.filter(
    ({ providerKey, id: own }) => harness.provider.books.get(providerKey ?? own)?.result === 'approved',
  );
  ends[plan?.status ?? ''] = (ends[plan?.status ?? ''] ?? 0) + 1;

  expect(approved.length).toBeLessThanOrEqual(1);
  expect(operations.filter(({ status }) => status === 'succeeded').map((one) => one.id)).toEqual(
    approved.map((one) => one.id),
  );
  expect(ledger.map(({ operationId, amount }) => ({ operationId, amount }))).toEqual(
    approved.map((one) => ({ operationId: one.id, amount: 1299 })),
  );
  expect(transaction?.authorizedAmount).toBe(approved.length * 1299);
  expect(operations.every(({ status }) => status !== 'pending')).toBe(true);
  expect(operations.length - 1).toBeLessThanOrEqual(HOURS.length);
  expect(plan?.tries.length).toBe(operations.length - 1);
  // Each try begins after the end of the one before.
  for (const [place, { createdAt }] of operations.entries()) {
    const before = operations[place - 1];
    if (before) expect(createdAt.getTime()).toBeGreaterThan(before.settledAt?.getTime() ?? Infinity);
  }
}
