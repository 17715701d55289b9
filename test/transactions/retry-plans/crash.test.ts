import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { keepRetryPlans } from '../../../src/modules/transactions/index.ts';
import { advancePlan } from '../../../src/modules/transactions/retry-plans/advance.ts';
import { setFailpoint } from '../../../src/platform/failpoint.ts';
import { reconcileAfter } from '../unresolved.ts';
import { DAY, FUNDS, HOUR, startPlans, type PlanHarness } from './harness.ts';

const MINUTE = 60_000;

let harness: PlanHarness;
beforeAll(async () => {
  harness = await startPlans();
});
afterAll(() => harness.stop());
beforeEach(() => harness.provider.behave());

/** Kills the next process that reaches a failpoint. */
function dieAt(point: string): void {
  const remove = setFailpoint(point, () => {
    remove();
    throw new Error('The process died.');
  });
}

const operationsOf = (id: string) =>
  harness.server.app.db.prisma.operation.findMany({ where: { transactionId: id }, orderBy: { id: 'asc' } });

const planOf = (transactionId: string) => ({
  merchantAccountId: harness.server.merchantAccountId,
  transactionId,
});

/** Expects one try, with one effect at the provider and one entry in the ledger. */
async function expectOneTry(id: string): Promise<void> {
  const operations = await operationsOf(id);
  expect(operations.map(({ status }) => status)).toEqual(['declined', 'succeeded']);
  const replies = operations.map(({ providerKey, id: own }) =>
    harness.provider.books.get(providerKey ?? own),
  );
  expect(replies).toMatchObject([{ result: 'declined' }, { result: 'approved', amount: 1299 }]);
  const ledger = await harness.server.app.db.prisma.ledgerEntry.findMany({ where: { transactionId: id } });
  expect(ledger).toMatchObject([{ kind: 'authorize', amount: 1299, operationId: operations[1]?.id }]);
  expect(await harness.transaction(id)).toMatchObject({
    status: 'AUTHORIZATION_SUCCEEDED',
    authorizedAmount: 1299,
  });
  expect(await harness.plan(id)).toMatchObject({ status: 'SUCCEEDED', tries: [{ status: 'SUCCEEDED' }] });
}

describe('a process that dies in a try', () => {
  it.each([
    ...['retry-plan.claiming', 'retry-plan.claimed', 'authorize.claimed', 'authorize.called'],
    ...['authorize.settling', 'authorize.settled'],
  ])('leaves one try to others (%s)', async (point) => {
    const id = await harness.refused({ afterHours: [1] });
    dieAt(point);
    await harness.later(HOUR);
    await reconcileAfter(harness, 2 * MINUTE);
    await harness.later(2 * MINUTE);
    await harness.later(2 * MINUTE);

    await expectOneTry(id);
  });

  it('leaves the plan to a worker, when the process dies after the first refusal', async () => {
    const since = await harness.since();
    dieAt('authorize.settled');
    harness.provider.declineNext(FUNDS);
    await expect(harness.pay({ retryPlan: { afterHours: [1] } })).rejects.toThrow('INTERNAL_SERVER_ERROR');
    const { transactionId: id } = await harness.server.app.db.prisma.retryPlan.findFirstOrThrow({
      orderBy: { createdAt: 'desc' },
    });
    expect(await harness.plan(id)).toMatchObject({ status: 'ACTIVE', nextTryAt: null });
    await harness.later(2 * MINUTE);
    expect((await harness.plan(id))?.nextTryAt).not.toBeNull();
    await harness.later(HOUR);

    await expectOneTry(id);
    expect(since.calls()).toEqual(['authorize', 'authorize']);
  });

  it('gives the provider the same key after a restore to the moment before the try', async () => {
    const id = await harness.refused({ afterHours: [1] });
    const { app } = harness.server;
    const before = await app.db.prisma.retryPlan.findFirstOrThrow({ where: { transactionId: id } });
    await harness.later(HOUR);
    const [, tried] = await operationsOf(id);
    if (!tried) throw new Error('No try was made');
    const books = harness.provider.books.size;
    await app.db.transaction(async (tx) => {
      // The ledger keeps the row of the try. Without its key and its success, the row stands for the refusal before.
      const lost = { providerKey: null, status: 'failed' };
      await tx.operation.updateMany({ where: { id: tried.id }, data: lost });
      const declined = { status: 'authorization_declined', authorizedAmount: 0, authorizedAt: null };
      await tx.transaction.updateMany({ where: { id }, data: declined });
      const { schedule: _, ...restored } = before;
      const data = { ...restored, afterOperationId: tried.id };
      await tx.retryPlan.updateMany({ where: { transactionId: id }, data });
    });
    await advancePlan(app, planOf(id));

    const again = (await operationsOf(id)).at(-1);
    expect(again).toMatchObject({ status: 'succeeded', providerKey: tried.providerKey });
    expect(again?.id).not.toBe(tried.id);
    expect(harness.provider.books.size).toBe(books);
  });
});

describe('two workers', () => {
  it('make a due try once', async () => {
    const id = await harness.refused({ afterHours: [1] });
    const since = await harness.since();
    await harness.pass(HOUR);
    const { app } = harness.server;
    await Promise.all([
      ...[1, 2, 3].map(() => advancePlan(app, planOf(id))),
      ...[1, 2, 3].map(() => keepRetryPlans(app)),
    ]);
    await harness.later(2 * MINUTE);

    expect(since.calls()).toEqual(['authorize']);
    await expectOneTry(id);
  });

  it('make no try after a stop that comes between', async () => {
    const id = await harness.refused({ afterHours: [1] });
    const since = await harness.since();
    const remove = setFailpoint('retry-plan.claiming', async () => {
      remove();
      await harness.stopPlan(id);
    });
    await harness.later(HOUR);

    expect(await harness.plan(id)).toMatchObject({ status: 'STOPPED', tries: [] });
    expect(since.calls()).toEqual([]);
    expect((await harness.transaction(id))?.status).toBe('AUTHORIZATION_DECLINED');
  });

  it('stop a plan once, and a try under way goes on', async () => {
    const id = await harness.refused({ afterHours: [1, 2] });
    const since = await harness.since();
    const remove = setFailpoint('retry-plan.claimed', async () => {
      remove();
      await Promise.all([harness.stopPlan(id), harness.stopPlan(id)]);
    });
    harness.provider.declineNext(FUNDS);
    await harness.later(HOUR);
    await harness.later(DAY);

    expect(await harness.plan(id)).toMatchObject({ status: 'STOPPED', tries: [{ status: 'DECLINED' }] });
    expect(since.calls()).toEqual(['authorize']);
    expect(await since.eventNames()).toEqual(['retry-plan.stopped', 'transaction.declined']);
  });
});

describe('the limit of a scheme', () => {
  /** A Visa card, stored twice. */
  let cards: readonly { readonly paymentMethod: object }[];
  beforeAll(async () => {
    const ids = [await harness.store(), await harness.store()];
    cards = ids.map((id) => ({ paymentMethod: { stored: { id } } }));
  });

  /** Makes refused payments of an amount without a plan. */
  async function attempts(amount: number, count: number): Promise<void> {
    for (let made = 0; made < count; made += 1) {
      harness.provider.declineNext(FUNDS);
      await harness.pay({ amount, retryPlan: null, ...cards[made % 2] });
    }
  }

  it('counts every payment with the card and the amount, also for plans at the same moment', async () => {
    const amount = 4242;
    const plan = { afterHours: [1, 48] };
    const ids = [
      await harness.refused(plan, { amount, ...cards[0] }),
      await harness.refused(plan, { amount, ...cards[1] }),
    ];
    await attempts(amount, 12);
    await attempts(amount + 1, 3);
    harness.provider.declineNext(FUNDS, FUNDS);
    const since = await harness.since();
    await harness.pass(HOUR);
    await Promise.all(ids.map((id) => advancePlan(harness.server.app, planOf(id))));
    await harness.later(2 * MINUTE);

    expect(since.calls()).toEqual(['authorize']);
    const plans = await Promise.all(ids.map((id) => harness.plan(id)));
    expect(plans.map((each) => each?.tries.length).toSorted()).toEqual([0, 1]);
    // Both wait for their next time. The card is at its limit then, too.
    expect(plans.every((each) => each?.status === 'ACTIVE' && each.nextTryAt !== null)).toBe(true);
    await harness.later(2 * DAY);
    expect(since.calls()).toEqual(['authorize']);
    for (const id of ids)
      expect(await harness.plan(id)).toMatchObject({ status: 'EXHAUSTED', reason: 'SCHEME_LIMIT' });
  });

  it('forgets attempts after 30 days', async () => {
    const amount = 4343;
    await attempts(amount, 14);
    await harness.pass(20 * DAY);
    const id = await harness.refused({ afterHours: [24, 240], untilDays: 14 }, { amount, ...cards[0] });
    await harness.later(DAY);
    expect(await harness.plan(id)).toMatchObject({ status: 'ACTIVE', tries: [] });
    await harness.later(10 * DAY);

    expect(await harness.plan(id)).toMatchObject({ status: 'SUCCEEDED', tries: [{ status: 'SUCCEEDED' }] });
  });
});

describe('a cancel', () => {
  it('of a payment during a try ends its plan', async () => {
    await harness.stop();
    harness = await startPlans('mock-acquirer');
    const id = await harness.refused({ afterHours: [1, 2] });
    harness.provider.failNext('lose_request');
    await harness.later(HOUR);
    const { userErrors } = await harness.cancel(id);
    expect(userErrors).toEqual([]);
    await reconcileAfter(harness, 2 * MINUTE);
    const since = await harness.since();
    await harness.later(DAY);

    expect((await harness.transaction(id))?.status).toBe('AUTHORIZATION_FAILED');
    expect(await harness.plan(id)).toMatchObject({
      status: 'ENDED',
      reason: 'PAYMENT_CANCELED',
      nextTryAt: null,
    });
    expect(since.calls()).toEqual([]);
    expect(await since.eventNames()).toEqual(['retry-plan.ended']);
  });
});
