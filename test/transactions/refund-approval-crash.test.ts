import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keepRefundApprovals } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { startHarness, type Harness } from './harness.ts';
import { someone } from './refund-people.ts';
import { reconcileAfter } from './unresolved.ts';

const MINUTE = 60_000;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness('mock-card', { settings: { PAYGRAPH_REFUND_APPROVAL: '*:0' } });
});
afterAll(() => harness.stop());

/** Asks for a refund and returns the ids of the payment and of the request, with the person who approves. */
async function requested() {
  const payment = await harness.captured(2000);
  const kim = await someone(harness.server, 'kim@shop.example');
  const robin = await someone(harness.server, 'robin@shop.example');
  const { approval } = await kim.refund(payment, { amount: 600 });
  return { payment, id: approval?.id ?? '', robin };
}

/** Kills the next process that reaches a failpoint. */
function dieAt(point: string): void {
  const remove = setFailpoint(point, () => {
    remove();
    throw new Error('The process died.');
  });
}

const stateOf = (id: string) =>
  harness.server.app.db.prisma.refundApproval.findFirst({ where: { id }, include: { operation: true } });

async function expectOneRefund(payment: string, id: string): Promise<void> {
  const { prisma } = harness.server.app.db;
  const refunds = await prisma.operation.findMany({ where: { transactionId: payment, kind: 'refund' } });
  expect(refunds).toMatchObject([
    { status: 'succeeded', amount: 600, actor: { subject: 'robin@shop.example' } },
  ]);
  const there = refunds.map(({ providerKey }) => harness.provider.books.get(providerKey ?? ''));
  expect(there).toMatchObject([{ result: 'approved', amount: 600 }]);
  expect((await harness.transaction(payment))?.refundedAmount).toBe(600);
  expect(await stateOf(id)).toMatchObject({ status: 'approved', operationId: refunds[0]?.id });
}

describe('a process that dies in an approval', () => {
  it('leaves the refund to a worker, which makes it once', async () => {
    const { payment, id, robin } = await requested();
    const since = await harness.since();
    dieAt('refund-approval.approved');

    await expect(robin.approve(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    expect(await stateOf(id)).toMatchObject({ status: 'approved', operationId: null });
    expect(since.calls()).toEqual([]);
    await keepRefundApprovals(harness.server.app);
    expect(since.calls()).toEqual([]);
    await harness.pass(MINUTE);
    await Promise.all([1, 2, 3].map(() => keepRefundApprovals(harness.server.app)));

    expect(since.calls()).toEqual(['refund']);
    await expectOneRefund(payment, id);
    expect(await since.eventNames()).toEqual(['refund-approval.approved', 'refund.succeeded']);
  });

  it.each(['refund.claimed', 'refund.called', 'refund.settling', 'refund.settled'])(
    'leaves one refund to reconciliation (%s)',
    async (point) => {
      const { payment, id, robin } = await requested();
      dieAt(point);

      await expect(robin.approve(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
      await reconcileAfter(harness, 2 * MINUTE);
      while (await keepRefundApprovals(harness.server.app));

      await expectOneRefund(payment, id);
    },
  );

  it('makes no second refund when a worker and the approver are both at it', async () => {
    const { payment, id, robin } = await requested();
    const since = await harness.since();
    // The approver is slow: a worker is due before the approver claims the refund.
    const remove = setFailpoint('refund-approval.approved', async () => {
      remove();
      await harness.pass(MINUTE);
      await keepRefundApprovals(harness.server.app);
    });

    const approved = await robin.approve(id);

    expect(approved).toMatchObject({ refund: { status: 'SUCCEEDED', amount: 600 }, userErrors: [] });
    expect(since.calls()).toEqual(['refund']);
    await expectOneRefund(payment, id);
  });

  it('gives the provider the same key after a restore to the moment before the refund', async () => {
    const { payment, id, robin } = await requested();
    await robin.approve(id);
    const { prisma } = harness.server.app.db;
    const [first] = await prisma.operation.findMany({ where: { transactionId: payment, kind: 'refund' } });
    const books = harness.provider.books.size;

    await harness.server.app.db.transaction(async (tx) => {
      await tx.refundApproval.updateMany({
        where: { id },
        data: { operationId: null, nextAttemptAt: new Date(0) },
      });
      await tx.idempotencyKey.deleteMany({ where: { resourceId: first?.id ?? '' } });
      await tx.operation.updateMany({ where: { id: first?.id ?? '' }, data: { providerKey: null } });
    });
    await keepRefundApprovals(harness.server.app);

    const again = (await stateOf(id))?.operation;
    expect(again?.providerKey).toBe(first?.providerKey);
    expect(harness.provider.books.size).toBe(books);
  });
});
