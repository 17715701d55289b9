import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Viewer } from '../../src/app.ts';
import { decide, type FollowUpKind } from '../../src/modules/transactions/decide.ts';
import { followUp } from '../../src/modules/transactions/follow-up.ts';
import { findTransactions } from '../../src/modules/transactions/index.ts';
import { lifecycle, type TransactionStatus } from '../../src/modules/transactions/transaction.ts';
import { startHarness, type Harness } from './harness.ts';

let house: Harness;
beforeAll(async () => {
  house = await startHarness();
});
afterAll(() => house.stop());

const statuses = Object.keys(lifecycle) as TransactionStatus[];

const states = fc
  .record({
    status: fc.constantFrom(...statuses),
    authorized: fc.integer({ min: 0, max: 5 }),
    captured: fc.integer({ min: 0, max: 5 }),
    capturePending: fc.integer({ min: 0, max: 5 }),
    refunded: fc.integer({ min: 0, max: 5 }),
    refundPending: fc.integer({ min: 0, max: 5 }),
    voidPending: fc.boolean(),
    kind: fc.constantFrom<FollowUpKind>('capture', 'refund', 'void'),
    amount: fc.option(fc.integer({ min: 1, max: 6 })),
  })
  .filter(
    (state) =>
      state.captured + state.capturePending <= state.authorized &&
      state.refunded + state.refundPending <= state.captured &&
      !(
        (state.voidPending || state.status === 'authorization_voided') &&
        state.captured + state.capturePending > 0
      ),
  );

it('the claim lets through exactly what the pure decision lets through', async () => {
  const { app, merchantAccountId } = house.server;
  const viewer: Viewer = {
    merchantAccountId,
    scopes: [],
    apiKeyPairId: '',
    reachableMerchantAccountIds: [],
    tokenExpiresAt: app.clock.now(),
  };
  const id = await house.authorized(100);
  await fc.assert(
    fc.asyncProperty(states, async ({ kind, amount, ...state }) => {
      await app.db.prisma.operation.deleteMany({ where: { transactionId: id, status: 'pending' } });
      await app.db.prisma.$executeRaw`
        UPDATE transaction SET status = ${state.status}, authorized_amount = ${state.authorized},
          captured_amount = ${state.captured}, capture_pending_amount = ${state.capturePending},
          refunded_amount = ${state.refunded}, refund_pending_amount = ${state.refundPending}, void_pending = ${state.voidPending}
        WHERE id = ${id}::uuid`;
      const [before] = await findTransactions(app, viewer, [id]);
      if (!before) throw new Error('The transaction is gone');
      const decision = decide(kind, before, kind === 'void' ? null : amount);
      // A claim that gets through stays pending, so that the next round can clear it away.
      if (decision === null) house.provider.failNext('lose_request');
      const calls = house.provider.calls.length;

      const answer = await followUp(app, viewer, {
        kind,
        transactionId: id,
        amount: kind === 'void' ? null : amount,
        externalIdentifier: null,
        reason: null,
        idempotencyKey: null,
      });

      expect(answer.ok ? null : answer.refusals[0]).toEqual(decision);
      expect(house.provider.calls.length - calls).toBe(decision === null ? 1 : 0);
    }),
    { numRuns: 150 },
  );
});
