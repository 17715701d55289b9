import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { createService, startHarness, type Harness } from './harness.ts';

let harness: Harness;
let other: FakeProvider;
beforeAll(async () => {
  harness = await startHarness();
  other = await startFakeProvider();
  await createService(harness.server, other.url, { currencies: ['USD', 'EUR'], displayName: 'The next one' });
});
afterAll(async () => {
  await other.close();
  await harness.stop();
});

// A request that could not leave moved no money. The operation fails, and its outcome is not unknown.
describe('a provider that cannot be reached', () => {
  let authorized: string;
  beforeAll(async () => {
    authorized = await harness.authorized(1000);
    // Nothing listens at the provider's port any more.
    await harness.provider.close();
  });

  it('leaves a payment to the next service', async () => {
    const { transaction } = await harness.create({ amount: 500 });

    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', authorizedAmount: 500 });
    expect(other.calls).toHaveLength(1);
  });

  it('fails a capture, frees the reserved amount, and is called again under a new key', async () => {
    const payload = await harness.capture(authorized, { amount: 1000 }, 'c1');

    expect(payload).toMatchObject({
      operation: { status: 'FAILED', errorCode: 'service_network_error', unknown: null },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 1000 } },
    });
    expect(await harness.capture(authorized, { amount: 1000 }, 'c1')).toEqual({ ...payload, replayed: true });
    expect((await harness.capture(authorized, { amount: 400 }, 'c2')).operation).toMatchObject({
      status: 'FAILED',
    });
  });

  it('proves nothing about an earlier request of the same operation', async () => {
    const { transaction } = await harness.create({ currency: 'EUR', amount: 700, intent: 'CAPTURE' });
    const id = transaction?.id ?? '';
    other.failNext('lose_answer');
    expect((await harness.refund(id, { amount: 700 })).operation).toMatchObject({ status: 'PROCESSING' });
    await other.close();

    harness.clock.advance(10_000);
    await reconcileDue(harness.server.app);

    expect(await harness.transaction(id)).toMatchObject({ refundedAmount: 0, refundable: { amount: 0 } });
  });
});
