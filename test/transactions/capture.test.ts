import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
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

const callsSince = () => harness.provider.calls.slice(callsBefore);
const eventsSince = async () => (await harness.eventNames()).slice(eventsBefore);

describe('captureTransaction', () => {
  it('captures part of the authorised amount', async () => {
    const id = await harness.authorized(1299);

    const payload = await harness.capture(id, { amount: 1000, externalIdentifier: 'parcel 1' });

    expect(payload).toMatchObject({
      operation: { amount: 1000, status: 'SUCCEEDED', errorCode: null },
      transaction: {
        status: 'CAPTURE_SUCCEEDED',
        authorizedAmount: 1299,
        capturedAmount: 1000,
        capturable: { amount: 0 },
      },
      userErrors: [],
      replayed: false,
    });
    expect(callsSince().map(({ operation, amount }) => [operation, amount])).toEqual([
      ['authorize', 1299],
      ['capture', 1000],
    ]);
    expect(await eventsSince()).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
    ]);
    expect((await harness.ledger()).slice(-2)).toEqual([
      { kind: 'authorize', amount: 1299 },
      { kind: 'capture', amount: 1000 },
    ]);
  });

  it('captures everything when no amount is given', async () => {
    const id = await harness.authorized(700);

    const payload = await harness.capture(id);

    expect(payload.operation).toMatchObject({ amount: 700, status: 'SUCCEEDED' });
    expect(payload.transaction).toMatchObject({
      capturedAmount: 700,
      refundable: { amount: 700, currency: 'USD' },
    });
  });

  it('refuses more than is capturable, names the rest, and does nothing', async () => {
    const id = await harness.authorized(1299);

    const payload = await harness.capture(id, { amount: 1300 }, 'too much');

    expect(payload).toEqual({
      operation: null,
      transaction: null,
      replayed: false,
      userErrors: [
        {
          __typename: 'CaptureTooLarge',
          code: 'CAPTURE_TOO_LARGE',
          message: expect.stringContaining('1299'),
          path: ['input', 'amount'],
          capturable: { amount: 1299, currency: 'USD' },
        },
      ],
    });
    expect(callsSince().map(({ operation }) => operation)).toEqual(['authorize']);
    expect(await eventsSince()).toEqual(['transaction.authorized']);
    expect(await harness.transaction(id)).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      capturedAmount: 0,
    });
    expect((await harness.capture(id, { amount: 1299 }, 'too much')).operation?.status).toBe('SUCCEEDED');
  });

  it.each([0, -1, 100_000_000])('refuses the amount %d with its path', async (amount) => {
    const id = await harness.authorized();

    const payload = await harness.capture(id, { amount });

    expect(payload.userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'amount'] }]);
    expect(callsSince()).toHaveLength(1);
  });

  it('refuses a captured transaction', async () => {
    const id = await harness.captured();

    const payload = await harness.capture(id, { amount: 1 });

    expect(payload.userErrors).toMatchObject([
      { code: 'OPERATION_NOT_ALLOWED', status: 'CAPTURE_SUCCEEDED' },
    ]);
    expect(callsSince()).toHaveLength(1);
  });

  it.each(['0198c1d2-0000-7000-8000-000000000000', 'nonsense', ''])(
    'answers NOT_FOUND for the id "%s"',
    async (id) => {
      const payload = await harness.capture(id);

      expect(payload.userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['id'] }]);
      expect(callsSince()).toHaveLength(0);
    },
  );

  it('leaves the payment authorised when the provider declines', async () => {
    const id = await harness.authorized(600_000);

    const payload = await harness.capture(id, { amount: 500_002 });

    expect(payload).toMatchObject({
      operation: { status: 'DECLINED', errorCode: 'refused_transaction' },
      transaction: { status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0, capturable: { amount: 600_000 } },
      userErrors: [],
    });
    expect(await eventsSince()).toEqual([
      'transaction.authorized',
      'capture.declined',
      'transaction.capture-failed',
    ]);
    expect((await harness.capture(id, { amount: 400 })).transaction?.capturedAmount).toBe(400);
  });

  it('answers a repeated key from the record and calls no provider', async () => {
    const id = await harness.authorized();
    const first = await harness.capture(id, { amount: 500 }, 'once');
    const calls = harness.provider.calls.length;

    const second = await harness.capture(id, { amount: 500 }, 'once');

    expect(second).toEqual({ ...first, replayed: true });
    expect(harness.provider.calls).toHaveLength(calls);
  });

  it('refuses a key with another amount and names the difference', async () => {
    const id = await harness.authorized();
    await harness.capture(id, { amount: 500 }, 'reused');
    const calls = harness.provider.calls.length;

    const payload = await harness.capture(id, { amount: 501 }, 'reused');

    expect(payload.userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.amount'] },
    ]);
    expect(harness.provider.calls).toHaveLength(calls);
    expect((await harness.transaction(id))?.capturedAmount).toBe(500);
  });
});

describe('a capture with an unknown outcome', () => {
  it.each(['lose_request', 'lose_answer', 'error_after_work', 'nonsense'] as const)(
    'stays pending after %s and is settled under the same key',
    async (fault) => {
      const id = await harness.authorized();
      harness.provider.failNext(fault);

      const payload = await harness.capture(id, { amount: 900 }, `unknown ${fault}`);

      expect(payload.operation).toMatchObject({ status: 'PENDING', amount: 900 });
      expect(payload.transaction).toMatchObject({
        status: 'AUTHORIZATION_SUCCEEDED',
        capturable: { amount: 0 },
      });
      expect((await harness.capture(id, { amount: 1 })).userErrors).toMatchObject([
        { code: 'CAPTURE_TOO_LARGE' },
      ]);

      harness.clock.advance(10_000);
      await reconcileDue(harness.server.app);

      expect(await harness.transaction(id)).toMatchObject({
        status: 'CAPTURE_SUCCEEDED',
        capturedAmount: 900,
      });
      const keys = callsSince().flatMap(({ operation, idempotency_key }) =>
        operation === 'capture' ? [idempotency_key] : [],
      );
      expect(keys).toEqual([keys[0], keys[0]]);
      expect(harness.provider.books.get(keys[0] ?? '')?.amount).toBe(900);
      const again = await harness.capture(id, { amount: 900 }, `unknown ${fault}`);
      expect(again).toMatchObject({
        replayed: true,
        operation: { id: payload.operation?.id, status: 'SUCCEEDED' },
      });
    },
  );

  it('answers a repeated key with the pending operation while the outcome is unknown', async () => {
    const id = await harness.authorized();
    harness.provider.failNext('lose_answer');
    const first = await harness.capture(id, {}, 'still pending');

    const second = await harness.capture(id, {}, 'still pending');

    expect(second).toEqual({ ...first, replayed: true });
    expect(callsSince().filter(({ operation }) => operation === 'capture')).toHaveLength(1);
    harness.clock.advance(10_000);
    await reconcileDue(harness.server.app);
  });
});

describe('a capture whose process dies', () => {
  let removeFailpoint: () => void = () => undefined;
  afterEach(() => removeFailpoint());

  it.each(['capture.claimed', 'capture.called', 'capture.settling', 'capture.settled'])(
    'at %s moves the money once',
    async (point) => {
      const id = await harness.authorized();
      removeFailpoint = setFailpoint(point, () => {
        throw new Error('The process died.');
      });
      await expect(harness.capture(id, { amount: 800 }, point)).rejects.toThrow('INTERNAL_SERVER_ERROR');
      removeFailpoint();

      harness.clock.advance(60_000);
      await reconcileDue(harness.server.app);

      expect(await harness.transaction(id)).toMatchObject({
        status: 'CAPTURE_SUCCEEDED',
        capturedAmount: 800,
      });
      const keys = new Set(callsSince().map(({ idempotency_key }) => idempotency_key));
      expect(keys.size).toBe(2);
      expect(await eventsSince()).toEqual([
        'transaction.authorized',
        'capture.succeeded',
        'transaction.captured',
      ]);
      expect(await harness.capture(id, { amount: 800 }, point)).toMatchObject({
        replayed: true,
        operation: { amount: 800 },
      });
    },
  );
});

describe('two captures at once', () => {
  it('let exactly one of twenty through', async () => {
    const id = await harness.authorized(1000);

    const payloads = await Promise.all(
      Array.from({ length: 20 }, () => harness.capture(id, { amount: 600 })),
    );

    expect(payloads.filter(({ operation }) => operation?.status === 'SUCCEEDED')).toHaveLength(1);
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 600 });
    expect(callsSince().filter(({ operation }) => operation === 'capture')).toHaveLength(1);
  });

  it('with one key are one capture, answered twice', async () => {
    const id = await harness.authorized(1000);

    const [a, b] = await Promise.all([
      harness.capture(id, { amount: 600 }, 'twin'),
      harness.capture(id, { amount: 600 }, 'twin'),
    ]);

    expect(a.operation?.id).toBe(b.operation?.id);
    expect([a.replayed, b.replayed].sort()).toEqual([false, true]);
    expect(callsSince().filter(({ operation }) => operation === 'capture')).toHaveLength(1);
  });
});
