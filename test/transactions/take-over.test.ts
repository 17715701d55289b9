import { afterAll, beforeAll, expect, it } from '@jest/globals';
import {
  claimPendingOf,
  markSent,
  writeLeaseRelease,
} from '../../src/modules/transactions/claim/leases.sql.ts';
import { settle } from '../../src/modules/transactions/settle/settle.ts';
import { claimLost } from './claim-lost.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

it('of two with claims until the same moment only the later one may send the operation again', async () => {
  const { app, merchantAccountId } = harness.server;
  const { claim: first, now, lease } = await claimLost(harness);
  // The first caller was paused and does not know of the second claim.
  await writeLeaseRelease(app.db, first.operation, {
    now,
    nextAttemptAt: now,
    unknownCause: 'timeout',
    historyId: app.ids.uuid(),
  });
  const [second] = await claimPendingOf(app.db, merchantAccountId, first.operation.transactionId, {
    now,
    leaseUntil: lease,
  });
  if (!second) throw new Error('Nobody gave it back.');

  expect(second.operation.id).toBe(first.operation.id);
  expect(second.operation.leaseUntil).toEqual(first.operation.leaseUntil);
  const later = new Date(now.getTime() + 1_000);
  expect(await markSent(app.db, first.operation, { now: later, leaseUntil: lease })).toBeNull();
  expect(await markSent(app.db, second.operation, { now: later, leaseUntil: lease })).toMatchObject({
    sentAt: later,
  });
});

it('a decline does not apply to a later sending, even when the clocks put both at the same moment', async () => {
  const { app } = harness.server;
  const { claim, lease } = await claimLost(harness);
  const { operation, transaction } = claim;

  const again = await markSent(app.db, operation, { now: operation.sentAt, leaseUntil: lease });
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
