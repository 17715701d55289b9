import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { claimReviewEnd, decideReview } from '../../src/modules/transactions/review/review.ts';
import {
  lifecycle,
  type FraudReview,
  type TransactionStatus,
} from '../../src/modules/transactions/model/transaction.ts';
import { openFraudHouse, type FraudHouse } from './fraud-house.ts';
import { startHarness, type Harness } from './harness.ts';

let house: Harness;
let fraud: FraudHouse;
beforeAll(async () => {
  house = await startHarness('mock-acquirer');
  fraud = await openFraudHouse(house);
});
afterAll(async () => {
  await fraud.close();
  await house.stop();
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
  const { app, merchantAccountId } = house.server;
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
