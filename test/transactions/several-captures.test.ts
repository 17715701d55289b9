import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { holdAt } from '../support/hold.ts';
import { createService, startHarness, type Harness, type Since } from './harness.ts';

let harness: Harness;
/** A payment service with one capture only. The other service comes first, so tests name this service by its id. */
let once: string;
let since: Since;

beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
  once = await createService(harness.server, harness.provider.url, { displayName: 'Captures once' });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  since = await harness.since();
});

/** Reads the captured, the capturable and the refundable amount, in minor units. */
async function amountsOf(id: string): Promise<readonly unknown[]> {
  const found = await harness.transaction(id);
  return [found?.status, found?.capturedAmount, found?.capturable.amount, found?.refundable.amount];
}

const CAPTURED = ['capture.succeeded', 'transaction.captured'];

describe('a capture that is not final', () => {
  it('leaves the rest to further captures, until nothing is left', async () => {
    const id = await harness.authorized(1000);

    const first = await harness.capture(id, { amount: 300, final: false });
    expect(first).toMatchObject({
      operation: { amount: 300, final: false, status: 'SUCCEEDED' },
      transaction: { status: 'CAPTURE_SUCCEEDED', capturedAmount: 300, capturable: { amount: 700 } },
      userErrors: [],
    });
    await harness.capture(id, { amount: 200, final: false });
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 500, 500, 500]);
    await harness.refund(id, { amount: 100 });
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 500, 500, 400]);
    const last = await harness.capture(id);

    expect(last.operation).toMatchObject({ amount: 500, final: true });
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 1000, 0, 900]);
    expect(harness.provider.calls.slice(-5).map(({ operation, amount }) => [operation, amount])).toEqual([
      ['authorize', 1000],
      ['capture', 300],
      ['capture', 200],
      ['refund', 100],
      ['capture', 500],
    ]);
    expect(await since.eventNames()).toEqual([
      'transaction.authorized',
      ...CAPTURED,
      ...CAPTURED,
      'refund.succeeded',
      ...CAPTURED,
    ]);
    expect((await harness.ledger()).slice(-5)).toEqual([
      { kind: 'authorize', amount: 1000 },
      { kind: 'capture', amount: 300 },
      { kind: 'capture', amount: 200 },
      { kind: 'refund', amount: 100 },
      { kind: 'capture', amount: 500 },
    ]);
    expect((await harness.transaction(id))?.['captures']).toMatchObject([
      { amount: 500, status: 'SUCCEEDED' },
      { amount: 200, status: 'SUCCEEDED' },
      { amount: 300, status: 'SUCCEEDED' },
    ]);
  });

  it('may take everything, and leaves nothing', async () => {
    const id = await harness.authorized(1000);
    await harness.capture(id, { final: false });

    for (const input of [{}, { amount: 1 }, { amount: 1, final: false }]) {
      expect((await harness.capture(id, input)).userErrors).toMatchObject([
        { code: 'CAPTURE_TOO_LARGE', capturable: { amount: 0, currency: 'USD' } },
      ]);
    }
    expect(since.calls()).toEqual(['authorize', 'capture']);
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 1000, 0, 1000]);
  });

  it('is refused above the rest, which the refusal names, and nothing happens', async () => {
    const id = await harness.authorized(1000);
    await harness.capture(id, { amount: 600, final: false });
    const before = await harness.transaction(id);

    const payload = await harness.capture(id, { amount: 401, final: false });

    expect(payload).toMatchObject({
      operation: null,
      transaction: null,
      userErrors: [
        {
          code: 'CAPTURE_TOO_LARGE',
          path: ['input', 'amount'],
          capturable: { amount: 400, currency: 'USD' },
        },
      ],
    });
    expect(since.calls()).toEqual(['authorize', 'capture']);
    expect(await since.eventNames()).toEqual(['transaction.authorized', ...CAPTURED]);
    expect(await harness.transaction(id)).toEqual(before);
  });

  it('is refused by a payment service with one capture only, whatever the amount, and nothing happens', async () => {
    const { transaction } = await harness.create({ amount: 1000, paymentServiceId: once });
    const id = transaction?.id ?? '';

    for (const amount of [1, 1000]) {
      const payload = await harness.capture(id, { amount, final: false }, `not final ${amount}`);
      expect(payload).toMatchObject({
        operation: null,
        userErrors: [{ code: 'OPERATION_NOT_SUPPORTED', feature: 'multiple_captures', path: ['id'] }],
      });
    }

    expect(since.calls()).toEqual(['authorize']);
    expect(await since.eventNames()).toEqual(['transaction.authorized']);
    expect(await harness.transaction(id)).toEqual(transaction);
    expect((await harness.capture(id, { amount: 1 }, 'not final 1')).userErrors).toEqual([]);
  });

  it('excludes a void', async () => {
    const id = await harness.authorized(1000);
    await harness.capture(id, { amount: 1, final: false });

    expect((await harness.void(id)).userErrors).toMatchObject([
      { code: 'OPERATION_NOT_ALLOWED', status: 'CAPTURE_SUCCEEDED' },
    ]);
    expect(since.calls()).toEqual(['authorize', 'capture']);
  });

  it('frees its amount when the provider declines, and the captured amount stays', async () => {
    const id = await harness.authorized(600_000);
    await harness.capture(id, { amount: 1000, final: false });

    const payload = await harness.capture(id, { amount: 500_002, final: false });

    expect(payload).toMatchObject({
      operation: { status: 'DECLINED', errorCode: 'refused_transaction' },
      transaction: {
        status: 'CAPTURE_SUCCEEDED',
        errorCode: null,
        capturedAmount: 1000,
        capturable: { amount: 599_000 },
      },
    });
    expect(await since.eventNames()).toEqual([
      'transaction.authorized',
      ...CAPTURED,
      'capture.declined',
      'transaction.capture-failed',
    ]);
    await harness.capture(id);
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 600_000, 0, 600_000]);
  });

  it('answers a repeated key from the record, and refuses the key for a final capture', async () => {
    const id = await harness.authorized(1000);
    const first = await harness.capture(id, { amount: 400, final: false }, 'part');

    expect(await harness.capture(id, { amount: 400, final: false }, 'part')).toEqual({
      ...first,
      replayed: true,
    });
    expect((await harness.capture(id, { amount: 400 }, 'part')).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.final'] },
    ]);
    expect(since.calls()).toEqual(['authorize', 'capture']);
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 400, 600, 400]);
  });

  it('with an unknown outcome allows other captures beside it', async () => {
    const id = await harness.authorized(1000);
    harness.provider.failNext('lose_answer');
    expect((await harness.capture(id, { amount: 600, final: false })).operation?.status).toBe('PENDING');

    expect((await harness.capture(id, { amount: 401, final: false })).userErrors).toMatchObject([
      { code: 'CAPTURE_TOO_LARGE', capturable: { amount: 400 } },
    ]);
    expect((await harness.capture(id, { amount: 400, final: false })).operation?.status).toBe('SUCCEEDED');
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 400, 0, 400]);
    await reconcileLater();

    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 1000, 0, 1000]);
    expect(since.calls()).toEqual(['authorize', 'capture', 'capture', 'capture']);
  });
});

describe('a final capture', () => {
  it('of a part releases the rest, and is the last', async () => {
    const id = await harness.authorized(1000);
    await harness.capture(id, { amount: 300, final: false });

    expect((await harness.capture(id, { amount: 200 })).operation).toMatchObject({
      amount: 200,
      final: true,
    });

    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 500, 0, 500]);
    // The provider receives the final mark, because the provider holds the rest.
    expect(harness.provider.calls.slice(-2)).toMatchObject([
      { operation: 'capture', amount: 300, final: false },
      { operation: 'capture', amount: 200, final: true },
    ]);
    for (const input of [{}, { amount: 1 }, { amount: 1, final: false }]) {
      expect((await harness.capture(id, input)).userErrors).toMatchObject([
        { code: 'OPERATION_NOT_ALLOWED', status: 'CAPTURE_SUCCEEDED' },
      ]);
    }
    expect(since.calls()).toEqual(['authorize', 'capture', 'capture']);
  });

  it('blocks other captures while pending, and no longer blocks when it is declined', async () => {
    const id = await harness.authorized(600_000);
    const held = holdAt('capture.called');
    const answer = harness.capture(id, { amount: 500_002 });
    await held.reached;

    for (const final of [true, false]) {
      expect((await harness.capture(id, { amount: 1, final })).userErrors).toMatchObject([
        { code: 'CAPTURE_TOO_LARGE', capturable: { amount: 0 } },
      ]);
    }
    expect(await amountsOf(id)).toEqual(['AUTHORIZATION_SUCCEEDED', 0, 0, 0]);
    held.go();
    expect((await answer).operation?.status).toBe('DECLINED');

    expect(await amountsOf(id)).toEqual(['AUTHORIZATION_SUCCEEDED', 0, 600_000, 0]);
    await harness.capture(id, { amount: 1, final: false });
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 1, 599_999, 1]);
    expect(since.calls()).toEqual(['authorize', 'capture', 'capture']);
  });

  it('takes the rest beside a pending capture, and stays the last when that one is declined', async () => {
    const id = await harness.authorized(600_000);
    const held = holdAt('capture.called');
    const answer = harness.capture(id, { amount: 500_002, final: false });
    await held.reached;
    const lastHeld = holdAt('capture.claimed');
    const last = harness.capture(id);
    await lastHeld.reached;
    lastHeld.go();
    held.go();

    expect((await answer).operation?.status).toBe('DECLINED');
    expect((await last).operation).toMatchObject({ amount: 99_998, status: 'SUCCEEDED' });
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 99_998, 0, 99_998]);
    expect((await harness.capture(id, { amount: 1 })).userErrors).toMatchObject([
      { code: 'OPERATION_NOT_ALLOWED' },
    ]);
  });
});

describe('a capture that is not final and whose process dies', () => {
  let removeFailpoint: () => void = () => undefined;
  afterEach(() => removeFailpoint());

  it.each(['capture.claimed', 'capture.called', 'capture.settling', 'capture.settled'])(
    'at %s moves the money once, and leaves the rest',
    async (point) => {
      const id = await harness.authorized(1000);
      removeFailpoint = setFailpoint(point, () => {
        throw new Error('The process died.');
      });
      await expect(harness.capture(id, { amount: 800, final: false }, point)).rejects.toThrow(
        'INTERNAL_SERVER_ERROR',
      );
      removeFailpoint();
      const left = await harness.transaction(id);
      expect(left?.capturable.amount).toBe(200);

      await reconcileLater();

      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 800, 200, 800]);
      expect(await since.eventNames()).toEqual(['transaction.authorized', ...CAPTURED]);
      expect(await harness.capture(id, { amount: 800, final: false }, point)).toMatchObject({
        replayed: true,
        operation: { amount: 800, final: false, status: 'SUCCEEDED' },
      });
    },
  );
});

describe('captures at once', () => {
  const succeeded = (payloads: readonly { operation: { status: string } | null }[]): number =>
    payloads.filter(({ operation }) => operation?.status === 'SUCCEEDED').length;

  it('of 60 and 60 out of 100: exactly one', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await harness.authorized(100);

      const payloads = await Promise.all([
        harness.capture(id, { amount: 60, final: false }),
        harness.capture(id, { amount: 60, final: false }),
      ]);

      expect(succeeded(payloads)).toBe(1);
      expect(payloads.flatMap(({ userErrors }) => userErrors)).toMatchObject([
        { code: 'CAPTURE_TOO_LARGE', capturable: { amount: 40 } },
      ]);
      expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 60, 40, 60]);
    }
    expect(since.calls().filter((operation) => operation === 'capture')).toHaveLength(10);
  });

  it('of twenty times 30 out of 100: as many as fit', async () => {
    const id = await harness.authorized(100);

    const payloads = await Promise.all(
      Array.from({ length: 20 }, () => harness.capture(id, { amount: 30, final: false })),
    );

    expect(succeeded(payloads)).toBe(3);
    expect(payloads.filter(({ userErrors }) => userErrors[0]?.code === 'CAPTURE_TOO_LARGE')).toHaveLength(17);
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 90, 10, 90]);
    expect(since.calls().filter((operation) => operation === 'capture')).toHaveLength(3);
  });

  it('of which each is final: exactly one', async () => {
    const id = await harness.authorized(100);

    const payloads = await Promise.all(Array.from({ length: 10 }, () => harness.capture(id, { amount: 10 })));

    expect(succeeded(payloads)).toBe(1);
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 10, 0, 10]);
  });

  it('with one key are one capture', async () => {
    const id = await harness.authorized(100);

    const payloads = await Promise.all(
      Array.from({ length: 5 }, () => harness.capture(id, { amount: 20, final: false }, 'one of five')),
    );

    expect(new Set(payloads.map(({ operation }) => operation?.id)).size).toBe(1);
    expect(payloads.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await amountsOf(id)).toEqual(['CAPTURE_SUCCEEDED', 20, 80, 20]);
  });
});

/** Advances beyond every lease, then reconciles. */
async function reconcileLater(): Promise<void> {
  await harness.pass(50_000);
  await reconcileDue(harness.server.app);
}
