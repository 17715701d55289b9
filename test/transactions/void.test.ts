import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { startHarness, type Harness } from './harness.ts';

let house: Harness;
let callsBefore: number;
let eventsBefore: number;

beforeAll(async () => {
  house = await startHarness();
});
afterAll(() => house.stop());
beforeEach(async () => {
  callsBefore = house.provider.calls.length;
  eventsBefore = (await house.eventNames()).length;
});

const calls = () => house.provider.calls.slice(callsBefore).map(({ operation }) => operation);
const eventsSince = async () => (await house.eventNames()).slice(eventsBefore);

describe('voidTransaction', () => {
  it('releases an authorised payment', async () => {
    const id = await house.authorized();

    const payload = await house.void(id);

    expect(payload).toMatchObject({
      operation: { status: 'SUCCEEDED' },
      transaction: {
        status: 'AUTHORIZATION_VOIDED',
        capturable: { amount: 0 },
        voidedAt: expect.any(String),
      },
    });
    expect(await eventsSince()).toEqual(['transaction.authorized', 'transaction.voided']);
  });

  it('refuses a captured payment and does nothing', async () => {
    const id = await house.captured();

    const payload = await house.void(id);

    expect(payload.userErrors).toMatchObject([
      { code: 'OPERATION_NOT_ALLOWED', status: 'CAPTURE_SUCCEEDED' },
    ]);
    expect(calls()).toEqual(['authorize']);
    expect(await eventsSince()).toEqual(['transaction.captured']);
  });

  it('refuses a payment of zero', async () => {
    const id = await house.authorized(0);

    expect((await house.void(id)).userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED' }]);
    expect(calls()).toEqual(['authorize']);
  });

  it('keeps the payment authorised when the provider declines', async () => {
    const id = await house.authorized(510_002);

    const payload = await house.void(id);

    expect(payload).toMatchObject({
      operation: { status: 'DECLINED', errorCode: 'issuer_decline' },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 510_002 } },
    });
    expect(await eventsSince()).toEqual(['transaction.authorized', 'transaction.void-declined']);
    expect((await house.capture(id)).transaction?.status).toBe('CAPTURE_SUCCEEDED');
  });

  it('answers a repeated key from the record', async () => {
    const id = await house.authorized();
    const first = await house.void(id, 'v1');

    expect(await house.void(id, 'v1')).toEqual({ ...first, replayed: true });
    expect(calls()).toEqual(['authorize', 'void']);
  });

  it('refuses a capture during an unknown outcome, and settles under the same key', async () => {
    const id = await house.authorized();
    house.provider.failNext('lose_answer');

    expect(await house.void(id)).toMatchObject({ operation: { status: 'PENDING' } });
    expect((await house.capture(id)).userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED' }]);
    house.clock.advance(10_000);
    await reconcileDue(house.server.app);

    expect((await house.transaction(id))?.status).toBe('AUTHORIZATION_VOIDED');
    expect(calls()).toEqual(['authorize', 'void', 'void']);
    expect(house.provider.books.size).toBe(
      new Set(house.provider.calls.map((call) => call.idempotency_key)).size,
    );
  });

  it('is finished by reconciliation when the process dies after the provider was called', async () => {
    const id = await house.authorized();
    const remove = setFailpoint('void.called', () => {
      throw new Error('The process died.');
    });
    await expect(house.void(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    remove();

    house.clock.advance(60_000);
    await reconcileDue(house.server.app);

    expect((await house.transaction(id))?.status).toBe('AUTHORIZATION_VOIDED');
    expect(await eventsSince()).toEqual(['transaction.authorized', 'transaction.voided']);
  });

  it('and a capture at once: exactly one wins', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await house.authorized(1000);

      const [voided, captured] = await Promise.all([house.void(id), house.capture(id)]);

      const won = [voided, captured].filter(({ operation }) => operation?.status === 'SUCCEEDED');
      expect(won).toHaveLength(1);
      const now = await house.transaction(id);
      expect(now?.status).toBe(voided.operation ? 'AUTHORIZATION_VOIDED' : 'CAPTURE_SUCCEEDED');
      expect(now?.capturedAmount).toBe(voided.operation ? 0 : 1000);
    }
  });
});
