import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;
let callsBefore: number;
let eventsBefore: number;

beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());
beforeEach(async () => {
  callsBefore = harness.provider.calls.length;
  eventsBefore = (await harness.eventNames()).length;
});

const calls = () => harness.provider.calls.slice(callsBefore).map(({ operation }) => operation);
const eventsSince = async () => (await harness.eventNames()).slice(eventsBefore);

describe('voidTransaction', () => {
  it('releases an authorised payment', async () => {
    const id = await harness.authorized();

    const payload = await harness.void(id);

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
    const id = await harness.captured();

    const payload = await harness.void(id);

    expect(payload.userErrors).toMatchObject([
      { code: 'OPERATION_NOT_ALLOWED', status: 'CAPTURE_SUCCEEDED' },
    ]);
    expect(calls()).toEqual(['authorize']);
    expect(await eventsSince()).toEqual(['transaction.captured']);
  });

  it('refuses a payment of zero', async () => {
    const id = await harness.authorized(0);

    expect((await harness.void(id)).userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED' }]);
    expect(calls()).toEqual(['authorize']);
  });

  it('keeps the payment authorised when the provider declines', async () => {
    const id = await harness.authorized(510_002);

    const payload = await harness.void(id);

    expect(payload).toMatchObject({
      operation: { status: 'DECLINED', errorCode: 'issuer_decline' },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturable: { amount: 510_002 } },
    });
    expect(await eventsSince()).toEqual(['transaction.authorized', 'transaction.void-declined']);
    expect((await harness.capture(id)).transaction?.status).toBe('CAPTURE_SUCCEEDED');
  });

  it('answers a repeated key from the record', async () => {
    const id = await harness.authorized();
    const first = await harness.void(id, 'v1');

    expect(await harness.void(id, 'v1')).toEqual({ ...first, replayed: true });
    expect(calls()).toEqual(['authorize', 'void']);
  });

  it('refuses a capture during an unknown outcome, and settles under the same key', async () => {
    const id = await harness.authorized();
    harness.provider.failNext('lose_answer');

    expect(await harness.void(id)).toMatchObject({ operation: { status: 'PENDING' } });
    expect((await harness.capture(id)).userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED' }]);
    harness.clock.advance(10_000);
    await reconcileDue(harness.server.app);

    expect((await harness.transaction(id))?.status).toBe('AUTHORIZATION_VOIDED');
    expect(calls()).toEqual(['authorize', 'void', 'void']);
    expect(harness.provider.books.size).toBe(
      new Set(harness.provider.calls.map((call) => call.idempotency_key)).size,
    );
  });

  it('is finished by reconciliation when the process dies after the provider was called', async () => {
    const id = await harness.authorized();
    const remove = setFailpoint('void.called', () => {
      throw new Error('The process died.');
    });
    await expect(harness.void(id)).rejects.toThrow('INTERNAL_SERVER_ERROR');
    remove();

    harness.clock.advance(60_000);
    await reconcileDue(harness.server.app);

    expect((await harness.transaction(id))?.status).toBe('AUTHORIZATION_VOIDED');
    expect(await eventsSince()).toEqual(['transaction.authorized', 'transaction.voided']);
  });

  it('and a capture at once: exactly one wins', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await harness.authorized(1000);

      const [voided, captured] = await Promise.all([harness.void(id), harness.capture(id)]);

      const won = [voided, captured].filter(({ operation }) => operation?.status === 'SUCCEEDED');
      expect(won).toHaveLength(1);
      const now = await harness.transaction(id);
      expect(now?.status).toBe(voided.operation ? 'AUTHORIZATION_VOIDED' : 'CAPTURE_SUCCEEDED');
      expect(now?.capturedAmount).toBe(voided.operation ? 0 : 1000);
    }
  });
});
