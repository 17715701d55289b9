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

const refunds = () =>
  harness.provider.calls.slice(callsBefore).filter(({ operation }) => operation === 'refund');
const eventsSince = async () => (await harness.eventNames()).slice(eventsBefore);

describe('refundTransaction', () => {
  it('refunds in parts until nothing is left', async () => {
    const id = await harness.captured(1000);

    const first = await harness.refund(id, { amount: 400, reason: 'one item returned' });
    const second = await harness.refund(id);

    expect(first).toMatchObject({
      operation: { amount: 400, status: 'SUCCEEDED' },
      transaction: { status: 'CAPTURE_SUCCEEDED', refundedAmount: 400, refundable: { amount: 600 } },
    });
    expect(second).toMatchObject({
      operation: { amount: 600 },
      transaction: { refundedAmount: 1000, refundable: { amount: 0 } },
    });
    expect(await eventsSince()).toEqual(['transaction.captured', 'refund.succeeded', 'refund.succeeded']);
    expect((await harness.ledger()).slice(-2)).toEqual([
      { kind: 'refund', amount: 400 },
      { kind: 'refund', amount: 600 },
    ]);
  });

  it('refuses more than is refundable, names the rest, and does nothing', async () => {
    const id = await harness.captured(1000);
    await harness.refund(id, { amount: 900 });

    const payload = await harness.refund(id, { amount: 101 });

    expect(payload.userErrors).toMatchObject([
      { code: 'REFUND_TOO_LARGE', path: ['input', 'amount'], refundable: { amount: 100, currency: 'USD' } },
    ]);
    expect(refunds()).toHaveLength(1);
    expect(await eventsSince()).toEqual(['transaction.captured', 'refund.succeeded']);
    expect((await harness.transaction(id))?.refundedAmount).toBe(900);
  });

  it('refuses a payment without a capture', async () => {
    const id = await harness.authorized();

    const payload = await harness.refund(id, { amount: 1 });

    expect(payload.userErrors).toMatchObject([
      { code: 'OPERATION_NOT_ALLOWED', status: 'AUTHORIZATION_SUCCEEDED' },
    ]);
    expect(refunds()).toHaveLength(0);
  });

  it('refuses a reason of more than 100 characters with its path', async () => {
    const id = await harness.captured();

    const payload = await harness.refund(id, { amount: 1, reason: 'x'.repeat(101) });

    expect(payload.userErrors).toMatchObject([{ code: 'INVALID_INPUT', path: ['input', 'reason'] }]);
    expect(refunds()).toHaveLength(0);
  });

  it('makes the amount refundable again when the provider declines', async () => {
    const id = await harness.captured(600_000);

    const payload = await harness.refund(id, { amount: 520_002 });

    expect(payload).toMatchObject({
      operation: { status: 'DECLINED', errorCode: 'issuer_decline' },
      transaction: { refundedAmount: 0, refundable: { amount: 600_000 } },
    });
    expect(await eventsSince()).toEqual(['transaction.captured', 'refund.declined']);
  });

  it('answers a repeated key from the record, and refuses it with another reason', async () => {
    const id = await harness.captured();
    const first = await harness.refund(id, { amount: 5, reason: 'late' }, 'r1');

    expect(await harness.refund(id, { amount: 5, reason: 'late' }, 'r1')).toEqual({
      ...first,
      replayed: true,
    });
    expect((await harness.refund(id, { amount: 5, reason: 'later' }, 'r1')).userErrors).toMatchObject([
      { code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.reason'] },
    ]);
    expect(refunds()).toHaveLength(1);
  });

  it('holds the amount while the outcome is unknown, and settles under the same key', async () => {
    const id = await harness.captured(1000);
    harness.provider.failNext('lose_answer');

    const payload = await harness.refund(id, { amount: 700 });

    expect(payload).toMatchObject({
      operation: { status: 'PROCESSING', unknown: { cause: 'CONNECTION' } },
      transaction: { refundable: { amount: 300 } },
    });
    harness.clock.advance(10_000);
    await reconcileDue(harness.server.app);
    expect(await harness.transaction(id)).toMatchObject({ refundedAmount: 700, refundable: { amount: 300 } });
    expect(new Set(refunds().map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
  });

  it('lets exactly as many of fifty concurrent refunds through as fit', async () => {
    const id = await harness.captured(1000);

    const payloads = await Promise.all(Array.from({ length: 50 }, () => harness.refund(id, { amount: 300 })));

    expect(payloads.filter(({ operation }) => operation?.status === 'SUCCEEDED')).toHaveLength(3);
    expect(payloads.filter(({ userErrors }) => userErrors[0]?.code === 'REFUND_TOO_LARGE')).toHaveLength(47);
    expect(await harness.transaction(id)).toMatchObject({ refundedAmount: 900 });
    expect(refunds()).toHaveLength(3);
  });
});

describe('a refund whose process dies', () => {
  let removeFailpoint: () => void = () => undefined;
  afterEach(() => removeFailpoint());

  it.each(['refund.claimed', 'refund.called', 'refund.settling', 'refund.settled'])(
    'at %s moves the money once',
    async (point) => {
      const id = await harness.captured(1000);
      removeFailpoint = setFailpoint(point, () => {
        throw new Error('The process died.');
      });
      await expect(harness.refund(id, { amount: 250 }, point)).rejects.toThrow('INTERNAL_SERVER_ERROR');
      removeFailpoint();

      harness.clock.advance(60_000);
      await reconcileDue(harness.server.app);

      expect(await harness.transaction(id)).toMatchObject({ refundedAmount: 250 });
      expect(await eventsSince()).toEqual(['transaction.captured', 'refund.succeeded']);
      expect(new Set(refunds().map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
    },
  );
});
