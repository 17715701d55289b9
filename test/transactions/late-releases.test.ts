import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '../../src/app.ts';
import type { TakenOverClaim } from '../../src/modules/transactions/claim/claim.ts';
import { claimPendingOf } from '../../src/modules/transactions/claim/leases.sql.ts';
import { settle } from '../../src/modules/transactions/settle/settle.ts';
import { seldom } from '../simulation/seldom.ts';
import { claimLost, LEASE_MS } from './claim-lost.ts';
import { startHarness, type Harness } from './harness.ts';

const NO_ANSWER = { kind: 'unknown', cause: 'timeout' } as const;
const ACCEPTED = {
  kind: 'accepted',
  reference: 'accepted-by-another-call',
  rawResponseCode: null,
  rawResponseDescription: null,
} as const;

let harness: Harness;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

/** Another process claims the operation next. */
async function claimNext({ operation }: TakenOverClaim): Promise<void> {
  const now = new Date(harness.clock.now().getTime() + 2 * LEASE_MS);
  const claims = await claimPendingOf(
    harness.server.app.db,
    operation.merchantAccountId,
    operation.transactionId,
    {
      now,
      leaseUntil: new Date(now.getTime() + LEASE_MS),
    },
  );
  if (claims.length !== 1) throw new Error('Nobody claimed the operation.');
}

/** Counts the entries about unknown outcomes. Tells whether the outcome is unknown now, and whether a process has a lease. */
async function recorded({ operation: { id, transactionId } }: TakenOverClaim) {
  const { prisma } = harness.server.app.db;
  const [unknown, { leaseUntil, unknownAt }] = await Promise.all([
    prisma.historyEntry.count({ where: { transactionId, name: 'payment-connector-outcome-unknown' } }),
    prisma.operation.findFirstOrThrow({ where: { id }, select: { leaseUntil: true, unknownAt: true } }),
  ]);
  return { unknown, isUnknown: unknownAt !== null, isLeased: leaseUntil !== null };
}

/** The provider's acceptance is recorded while a call is under way. The call then ends without an answer. */
async function timeOutAfterAcceptance(app: App, then: (claim: TakenOverClaim) => Promise<void>) {
  const { claim } = await claimLost(harness);
  await settle(harness.server.app, claim, ACCEPTED);
  await then(claim);
  await settle(app, claim, NO_ANSWER);
  return recorded(claim);
}

const nothing = async (): Promise<void> => {};

describe('a call without an answer', () => {
  it('leaves an operation accepted that another call has found accepted', async () => {
    const { app } = harness.server;

    expect(await timeOutAfterAcceptance(app, nothing)).toEqual({
      unknown: 1,
      isUnknown: false,
      isLeased: false,
    });
  });

  it('would make it unknown again without the condition on its acceptance', async () => {
    const app = seldom.tookOn.spoil()(harness.server.app);

    expect(await timeOutAfterAcceptance(app, nothing)).toMatchObject({ unknown: 2, isUnknown: true });
  });

  it('changes nothing after another process has claimed the operation', async () => {
    const { app } = harness.server;

    expect(await timeOutAfterAcceptance(app, claimNext)).toEqual({
      unknown: 1,
      isUnknown: false,
      isLeased: true,
    });
  });

  it('would take the lease of that process without the condition on its claim', async () => {
    const app = seldom.stoodStill.spoil()(harness.server.app);

    expect(await timeOutAfterAcceptance(app, claimNext)).toEqual({
      unknown: 2,
      isUnknown: true,
      isLeased: false,
    });
  });
});
