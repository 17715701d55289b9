import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { startFakeProvider, type FakeProvider } from '../support/fake-provider.ts';
import { createService, startHarness, type Harness } from './harness.ts';

let house: Harness;
let other: FakeProvider;
beforeAll(async () => {
  house = await startHarness();
  other = await startFakeProvider();
  await createService(house.server, other.url, { currencies: ['USD', 'EUR'], displayName: 'The next one' });
});
afterAll(async () => {
  await other.close();
  await house.stop();
});

// A request that could not leave moved no money. The operation fails, and its outcome is not unknown.
describe('a provider that cannot be reached', () => {
  let authorized: string;
  beforeAll(async () => {
    authorized = await house.authorized(1000);
    // Nothing listens at the provider's port any more.
    await house.provider.close();
  });

  it('leaves a payment to the next service', async () => {
    const { transaction } = await house.create({ amount: 500 });

    expect(transaction).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', authorizedAmount: 500 });
    expect(other.calls).toHaveLength(1);
  });

  it('fails a capture, frees the reserved amount, and is called again under a new key', async () => {
    const payload = await house.capture(authorized, { amount: 1000 }, 'c1');

    expect(payload).toMatchObject({
      operation: { status: 'FAILED', errorCode: 'service_network_error', unknown: null },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 1000 } },
    });
    expect(await house.capture(authorized, { amount: 1000 }, 'c1')).toEqual({ ...payload, replayed: true });
    expect((await house.capture(authorized, { amount: 400 }, 'c2')).operation).toMatchObject({
      status: 'FAILED',
    });
  });

  it('proves nothing about an earlier request of the same operation', async () => {
    const { transaction } = await house.create({ currency: 'EUR', amount: 700, intent: 'CAPTURE' });
    const id = transaction?.id ?? '';
    other.failNext('lose_answer');
    expect((await house.refund(id, { amount: 700 })).operation).toMatchObject({ status: 'PROCESSING' });
    await other.close();

    house.clock.advance(10_000);
    await reconcileDue(house.server.app);

    expect(await house.transaction(id)).toMatchObject({ refundedAmount: 0, refundable: { amount: 0 } });
  });
});
