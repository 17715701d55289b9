import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { App } from '../../src/app.ts';
import type { TakenOverClaim } from '../../src/modules/transactions/engine/claim.ts';
import { claimDue, claimPendingOf } from '../../src/modules/transactions/engine/leases.sql.ts';
import { settle } from '../../src/modules/transactions/engine/settle.ts';
import { seldom } from '../simulation/seldom.ts';
import { startHarness, type Harness } from './harness.ts';

const LEASE_MS = 15_000;
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

/** Claims a payment whose first answer was lost, so that history has its unknown outcome. */
async function claimLost(): Promise<TakenOverClaim> {
  harness.provider.failNext('lose_answer');
  const { transaction } = await harness.create();
  const { app } = harness.server;
  const now = new Date(harness.clock.now().getTime() + 10_000);
  const lease = new Date(now.getTime() + LEASE_MS);
  const due = await claimDue(app.db, now, lease, { limit: 8, perService: 8, grown: new Map() });
  const claim = due.find(({ operation }) => operation.transactionId === transaction?.id);
  if (!claim) throw new Error('The payment is not due.');
  return claim;
}

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

/** The names of the entries about unknown outcomes, and whether a process has a lease. */
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
  const claim = await claimLost();
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
