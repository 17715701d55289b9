import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { reconcileAfter } from '../transactions/unresolved.ts';
import { CARD, startPayingHarness, type PayingHarness } from './paying-harness.ts';

let harness: PayingHarness;
beforeAll(async () => {
  harness = await startPayingHarness('mockds-card');
});
afterAll(() => harness.stop());
beforeEach(async () => {
  await tokenization(true);
  harness.requested();
});

const STORE = { paymentMethod: { card: CARD }, store: true };

/** Switches the setting of the only payment service. */
async function tokenization(paymentMethodTokenizationEnabled: boolean): Promise<void> {
  const { id } = await harness.server.app.db.prisma.paymentService.findFirstOrThrow();
  const { payload } = await harness.ask<{ payload: { userErrors: unknown[] } }>(
    `mutation ($id: ID!, $input: UpdatePaymentServiceInput!) {
      payload: updatePaymentService(id: $id, input: $input) { userErrors { message } } }`,
    { id, input: { paymentMethodTokenizationEnabled } },
  );
  expect(payload.userErrors).toEqual([]);
}

it('asks no provider for a token when the payment service has tokenization switched off', async () => {
  await tokenization(false);

  const { paymentMethod } = await harness.paid(STORE);

  expect(harness.requested().map(({ tokenize }) => tokenize)).toEqual([undefined]);
  expect(await harness.method(paymentMethod?.id ?? '')).toMatchObject({ status: 'SUCCEEDED' });
  expect(await harness.notified(paymentMethod?.id ?? '')).toEqual([
    'payment-method.created',
    'payment-method.updated',
  ]);
});

it('repeats its first request, although the setting has changed in between', async () => {
  const undo = setFailpoint('authorize.called', () => {
    throw new Error('killed');
  });
  await expect(harness.pay(STORE, { key: 'switched' })).rejects.toThrow();
  undo();
  await tokenization(false);

  await reconcileAfter(harness, 60_000);
  await reconcileAfter(harness, 60_000);

  const [first, second] = harness.requested();
  expect([first?.tokenize, second?.tokenize]).toEqual([true, true]);
  expect(second?.idempotency_key).toBe(first?.idempotency_key);
});
