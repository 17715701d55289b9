import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { App } from '../../src/app.ts';
import { claimReviewEnd, decideReview } from '../../src/modules/transactions/review/review.ts';
import {
  lifecycle,
  type FraudReview,
  type TransactionStatus,
} from '../../src/modules/transactions/model/transaction.ts';
import { openFraudHarness, type FraudHarness } from './fraud-harness.ts';
import { seldom } from '../simulation/seldom.ts';
import { somebodyWaitsFor } from '../support/lock-waits.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;
let fraud: FraudHarness;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
  fraud = await openFraudHarness(harness);
});
afterAll(async () => {
  await fraud.close();
  await harness.stop();
});

const states = fc.record({
  status: fc.constantFrom(
    ...(Object.keys(lifecycle) as TransactionStatus[]),
    'authorization_succeeded' as const,
  ),
  fraudReview: fc.constantFrom<FraudReview | null>(
    null,
    'pending',
    'pending',
    'accepted',
    'rejected',
    'ended',
  ),
  voidPending: fc.boolean(),
  decision: fc.constantFrom('accept' as const, 'reject' as const),
});

it('the claim of a review lets through exactly what the pure decision lets through', async () => {
  const { app, merchantAccountId } = harness.server;
  const { id: transactionId } = await fraud.pay('review', { intent: 'CAPTURE' });
  await fc.assert(
    fc.asyncProperty(states, async ({ decision, ...state }) => {
      await app.db.prisma.operation.deleteMany({ where: { transactionId, status: 'pending' } });
      await app.db.prisma.$executeRaw`
        UPDATE transaction SET status = ${state.status}, fraud_review = ${state.fraudReview}, authorized_at = NULL,
          void_pending = ${state.voidPending}, capture_pending_amount = 0, capture_closed = false
        WHERE id = ${transactionId}::uuid`;

      const end = { merchantAccountId, transactionId, decision, audit: {}, key: null };
      const claimed = await claimReviewEnd(app, end);

      expect(claimed !== null).toBe(decideReview(state) === null);
      const kind = decision === 'accept' ? 'capture' : 'void';
      if (claimed) expect(claimed.operation).toMatchObject({ kind, amount: 1299, status: 'pending' });
    }),
    { numRuns: 150 },
  );
});

/** Claims the end of a review while another connection commits the authorisation that opens the review. */
async function claimWhileItOpens(app: App, transactionId: string) {
  const { merchantAccountId } = harness.server;
  const settling = await harness.server.app.db.connect();
  const { rows } = await settling.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const write = async (operation: string, transaction: string) => {
    await settling.query(`UPDATE operation SET ${operation} WHERE transaction_id = $1`, [transactionId]);
    await settling.query(`UPDATE transaction SET ${transaction} WHERE id = $1`, [transactionId]);
  };
  await write(
    `status = 'pending', settled_at = NULL`,
    `status = 'processing', fraud_review = NULL, authorized_amount = 0, authorized_at = NULL`,
  );
  await settling.query('BEGIN');
  await write(
    `status = 'succeeded', settled_at = created_at`,
    `status = 'authorization_succeeded', fraud_review = 'pending', authorized_amount = amount, authorized_at = created_at`,
  );
  const end = { merchantAccountId, transactionId, decision: 'accept', audit: {}, key: null } as const;
  const claiming = claimReviewEnd(app, end);
  await somebodyWaitsFor(app, rows[0]?.pid ?? 0);
  await settling.query('COMMIT');
  settling.release();
  return { claimed: await claiming, claimAgain: () => claimReviewEnd(app, end) };
}

const reviewOf = (id: string) =>
  harness.server.app.db.prisma.transaction.findFirstOrThrow({ where: { id }, select: { fraudReview: true } });

it('a claim that waits for the opening of its review writes nothing, and the next claim ends the review', async () => {
  const { id } = await fraud.pay('review', { intent: 'AUTHORIZE' });

  const { claimed, claimAgain } = await claimWhileItOpens(harness.server.app, id);

  expect(claimed).toBeNull();
  expect(await reviewOf(id)).toEqual({ fraudReview: 'pending' });
  expect(await claimAgain()).toMatchObject({ operation: { kind: 'authorize', status: 'succeeded' } });
  expect(await reviewOf(id)).toEqual({ fraudReview: 'accepted' });
});

it('without its condition, that claim would end the review and return nothing', async () => {
  const { id } = await fraud.pay('review', { intent: 'AUTHORIZE' });

  const { claimed } = await claimWhileItOpens(seldom.resolved.spoil()(harness.server.app), id);

  expect(claimed).toBeNull();
  expect(await reviewOf(id)).toEqual({ fraudReview: 'accepted' });
});
