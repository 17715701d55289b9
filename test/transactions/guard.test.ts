import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { App, Viewer } from '../../src/app.ts';
import {
  decideFollowUp,
  type FollowUpKind,
} from '../../src/modules/transactions/follow-up-claim/decide-follow-up.ts';
import { followUp } from '../../src/modules/transactions/follow-up/follow-up.ts';
import { readSubject } from '../../src/modules/transactions/follow-up-claim/subject.sql.ts';
import { findProvider } from '../../src/modules/payment-services/index.ts';
import {
  lifecycle,
  type FraudReview,
  type TransactionStatus,
} from '../../src/modules/transactions/model/transaction.ts';
import { openFraudHarness } from './fraud-harness.ts';
import { startHarness, type Harness } from './harness.ts';

/** One definition has every feature. The other has neither several captures nor a cancel. */
const DEFINITIONS = ['mock-acquirer', 'mock-card'] as const;

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
});
afterAll(() => harness.stop());

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
    captureClosed: fc.boolean(),
    fraudReview: fc.constantFrom<FraudReview | null>(
      null,
      null,
      null,
      'pending',
      'accepted',
      'rejected',
      'ended',
    ),
    allowed: fc.option(fc.integer({ min: 0, max: 3 })),
    percentage: fc.option(fc.constantFrom(0, 20, 50)),
    definitionId: fc.constantFrom(...DEFINITIONS),
    kind: fc.constantFrom<FollowUpKind>('capture', 'refund', 'void', 'cancel'),
    amount: fc.option(fc.integer({ min: 1, max: 6 })),
    final: fc.boolean(),
    disputeLost: fc.integer({ min: 0, max: 2 }),
    openDisputes: fc.integer({ min: 0, max: 1 }),
    force: fc.boolean(),
  })
  .filter(
    (state) =>
      state.captured + state.capturePending <= state.authorized &&
      state.refunded + state.refundPending <= state.captured &&
      state.disputeLost <= state.captured &&
      !(
        (state.voidPending || state.status === 'authorization_voided') &&
        state.captured + state.capturePending > 0
      ) &&
      // A payment with an open review cannot be captured.
      !(
        state.fraudReview !== null &&
        state.fraudReview !== 'accepted' &&
        state.captured + state.capturePending > 0
      ) &&
      // An unauthorised payment cannot be captured.
      !(
        (state.status === 'processing' || state.status === 'buyer_approval_pending') &&
        state.captured + state.capturePending > 0
      ),
  );

/** Writes a capture of the amount, because a refund is of captures. */
const capture = async (
  { db: { prisma }, ids }: App,
  transactionId: string,
  amount: number,
): Promise<void> => {
  await prisma.$executeRaw`
    INSERT INTO operation (merchant_account_id, id, transaction_id, payment_service_id, kind, status, amount, currency,
      provider_reference, sent_at, created_at, updated_at)
    SELECT merchant_account_id, ${ids.uuid()}::uuid, transaction_id, payment_service_id, 'capture', 'succeeded', ${amount}::int,
      currency, 'cap_1', sent_at, created_at, updated_at
    FROM operation WHERE transaction_id = ${transactionId}::uuid AND kind = 'authorize'`;
};

it('the claim lets through exactly what the pure decision lets through', async () => {
  const { app, merchantAccountId } = harness.server;
  const viewer: Viewer = {
    merchantAccountId,
    scopes: [],
    apiKeyPairId: '',
    reachableMerchantAccountIds: [],
    tokenExpiresAt: app.clock.now(),
  };
  const id = await harness.authorized(100);
  const fraud = await openFraudHarness(harness);
  await fraud.close();
  const judge = fraud.serviceId;
  await fc.assert(
    fc.asyncProperty(states, async ({ kind, definitionId, ...state }) => {
      const { prisma } = app.db;
      await prisma.operation.deleteMany({ where: { transactionId: id, kind: { not: 'authorize' } } });
      await prisma.merchantAccount.updateMany({
        data: { overCaptureAmount: state.allowed, overCapturePercentage: state.percentage },
      });
      await prisma.paymentService.updateMany({ data: { definitionId } });
      await prisma.$executeRaw`
        UPDATE transaction SET status = ${state.status}, authorized_amount = ${state.authorized},
          captured_amount = ${state.captured}, capture_pending_amount = ${state.capturePending},
          refunded_amount = ${state.refunded}, refund_pending_amount = ${state.refundPending}, void_pending = ${state.voidPending},
          dispute_lost_amount = ${state.disputeLost}, open_disputes = ${state.openDisputes},
          capture_closed = ${state.captureClosed}, over_capture_allowance = 0,
          anti_fraud_service_id = ${judge}::uuid, anti_fraud_decision = 'review', fraud_review = ${state.fraudReview},
          authorized_at = NULL
        WHERE id = ${id}::uuid`;
      if (state.captured > 0) await capture(app, id, state.captured);
      const subject = await readSubject(app.db, merchantAccountId, id);
      const provider = findProvider(app, definitionId);
      if (!subject || !provider) throw new Error('The transaction or its provider is gone');
      const hasAmount = kind === 'capture' || kind === 'refund';
      const requested = {
        kind,
        amount: hasAmount ? state.amount : null,
        final: kind !== 'capture' || state.final,
        force: kind === 'refund' && state.force,
      };
      const decision = decideFollowUp(
        { ...subject, features: provider.definition.supportedFeatures },
        requested,
      );
      // A successful claim stays pending, so that the next round can remove the operation.
      if (decision === null) harness.provider.failNext('lose_request');
      const calls = harness.provider.calls.length;

      const answer = await followUp(app, viewer, {
        ...requested,
        transactionId: id,
        externalIdentifier: null,
        reason: null,
        idempotencyKey: null,
      });

      expect(answer.ok ? null : answer.refusals[0]).toEqual(decision);
      expect(harness.provider.calls.length - calls).toBe(decision === null ? 1 : 0);
    }),
    { numRuns: 250 },
  );
});
