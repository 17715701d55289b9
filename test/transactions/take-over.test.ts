import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  claimDue,
  claimPendingOf,
  markSent,
  releaseOperation,
} from '../../src/modules/transactions/engine/leases.sql.ts';
import { settle } from '../../src/modules/transactions/engine/settle.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

it('of two with claims until the same moment only the later one may send the operation again', async () => {
  const { app, merchantAccountId } = harness.server;
  harness.provider.failNext('lose_answer');
  const { transaction } = await harness.create();
  const now = new Date(harness.clock.now().getTime() + 10_000);
  const lease = new Date(now.getTime() + 15_000);

  const [first] = await claimDue(app.db, now, lease, { limit: 1, perService: 1, grown: new Map() });
  if (!first) throw new Error('Nothing is due.');
  // The first caller was paused and does not know of the second claim.
  await releaseOperation(app.db, first.operation, {
    now,
    nextAttemptAt: now,
    unknownCause: 'timeout',
    historyId: app.ids.uuid(),
  });
  const [second] = await claimPendingOf(app.db, merchantAccountId, transaction?.id ?? '', {
    now,
    leaseUntil: lease,
  });
  if (!second) throw new Error('Nobody gave it back.');

  expect(second.operation.id).toBe(first.operation.id);
  expect(second.operation.leaseUntil).toEqual(first.operation.leaseUntil);
  const later = new Date(now.getTime() + 1_000);
  expect(await markSent(app.db, first.operation, later, lease)).toBeNull();
  expect(await markSent(app.db, second.operation, later, lease)).toMatchObject({ sentAt: later });
});

it('a decline does not apply to a later sending, even when the clocks put both at the same moment', async () => {
  const { app } = harness.server;
  harness.provider.failNext('lose_answer');
  const { transaction: made } = await harness.create();
  const now = new Date(harness.clock.now().getTime() + 10_000);
  const lease = new Date(now.getTime() + 15_000);
  const due = await claimDue(app.db, now, lease, { limit: 8, perService: 8, grown: new Map() });
  const taken = due.find((one) => one.operation.transactionId === made?.id);
  if (!taken) throw new Error('Nothing is due.');
  const { operation, transaction } = taken;

  const again = await markSent(app.db, operation, operation.sentAt, lease);
  const { operation: stands } = await settle(
    app,
    { operation, transaction },
    {
      kind: 'failed',
      reference: null,
      errorCode: 'service_network_error',
      rawResponseCode: null,
      rawResponseDescription: null,
    },
  );

  expect(again?.sentAt.getTime()).toBe(operation.sentAt.getTime() + 1);
  expect(stands).toMatchObject({ id: operation.id, status: 'pending' });
});
