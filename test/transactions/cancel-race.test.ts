import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { holdAt } from '../support/hold.ts';
import { createService, startHarness, type Harness, type Payload, type Since } from './harness.ts';

let harness: Harness;
let since: Since;

beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
});
afterAll(() => harness.stop());
beforeEach(async () => {
  since = await harness.since();
});

/** Creates a payment whose provider has answered. The process waits before it records the answer. */
async function heldAuthorization(input: Record<string, unknown> = {}) {
  const held = holdAt('authorize.called');
  const answer = harness.create(input);
  await held.reached;
  const id = await latestId();
  const settle = (): Promise<Payload> => {
    held.go();
    return answer;
  };
  return { id, settle };
}

async function latestId(): Promise<string> {
  const [row] = await harness.server.app.db.prisma.transaction.findMany({
    orderBy: { id: 'desc' },
    take: 1,
    select: { id: true },
  });
  return row?.id ?? '';
}

/** Requests a cancel whose provider has answered. The process waits before it records the answer. */
async function heldCancel(id: string) {
  const held = holdAt('cancel.called');
  const answer = harness.cancel(id);
  await held.reached;
  return () => {
    held.go();
    return answer;
  };
}

describe('a cancel settled before the authorisation', () => {
  it.each([
    ['approved', {}],
    ['approved as a sale', { intent: 'CAPTURE' }],
    ['taken on', { amount: 600_001 }],
    ['declined', { amount: 200_011 }],
    ['refused for technical reasons', { amount: 300_013 }],
  ])('stands when the authorisation ends %s', async (_, input) => {
    const { id, settle } = await heldAuthorization(input);

    const cancelled = await harness.cancel(id);
    const late = await settle();

    expect(cancelled.transaction).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode: 'canceled' });
    expect(late).toEqual({ transaction: cancelled.transaction, userErrors: [], replayed: false });
    expect(await harness.transaction(id)).toEqual(cancelled.transaction);
    expect(await since.eventNames()).toEqual(['transaction.failed']);
    expect(since.calls()).toEqual(['authorize', 'cancel']);
    expect(await pending(id)).toEqual([]);
  });
});

describe('an authorisation settled before the cancel', () => {
  it('is released by the cancel', async () => {
    const { id, settle } = await heldAuthorization({ amount: 1000 });
    const cancel = await heldCancel(id);

    expect((await settle()).transaction).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      authorizedAmount: 1000,
      capturable: { amount: 0 },
    });
    const payload = await cancel();

    expect(payload).toMatchObject({
      operation: { status: 'SUCCEEDED' },
      transaction: {
        status: 'AUTHORIZATION_VOIDED',
        intentOutcome: 'SUCCEEDED',
        errorCode: null,
        voidedAt: expect.any(String),
        canceledAt: null,
        authorizedAmount: 1000,
      },
    });
    expect(await since.eventNames()).toEqual(['transaction.authorized', 'transaction.voided']);
    expect((await harness.ledger()).slice(-2)).toEqual([
      { kind: 'authorize', amount: 1000 },
      { kind: 'void', amount: 1000 },
    ]);
    expect(await pending(id)).toEqual([]);
  });

  it('can be neither captured nor voided meanwhile, and stands when the cancel is declined', async () => {
    const { id, settle } = await heldAuthorization({ amount: 640_001 });
    const cancel = await heldCancel(id);
    await settle();

    for (const verb of ['capture', 'void', 'cancel'] as const) {
      expect((await harness[verb](id)).userErrors).toMatchObject([
        { code: 'OPERATION_NOT_ALLOWED', status: 'AUTHORIZATION_SUCCEEDED' },
      ]);
    }
    expect((await cancel()).operation).toMatchObject({ status: 'FAILED', errorCode: 'service_error' });

    expect((await harness.capture(id)).transaction?.status).toBe('CAPTURE_SUCCEEDED');
    expect(since.calls()).toEqual(['authorize', 'cancel', 'capture']);
  });

  it('ends as usual when a pending sale is decided', async () => {
    const { id, settle } = await heldAuthorization({ intent: 'CAPTURE', amount: 600_001 });
    const cancel = await heldCancel(id);

    expect((await settle()).transaction?.status).toBe('CAPTURE_PENDING');
    expect(await cancel()).toMatchObject({
      operation: { status: 'SUCCEEDED' },
      transaction: { status: 'AUTHORIZATION_FAILED', errorCode: 'canceled', canceledAt: expect.any(String) },
    });

    expect(await since.eventNames()).toEqual(['transaction.capture-pending', 'transaction.failed']);
    expect(await pending(id)).toEqual([]);
  });

  it.each([
    ['declined', { amount: 200_011 }, 'AUTHORIZATION_DECLINED', 'transaction.declined'],
    ['refused for technical reasons', { amount: 300_013 }, 'AUTHORIZATION_FAILED', 'transaction.failed'],
  ])('stays unchanged when it was %s, and the cancel has succeeded', async (_, input, status, event) => {
    const { id, settle } = await heldAuthorization(input);
    const cancel = await heldCancel(id);

    const authorized = await settle();
    const payload = await cancel();

    expect(authorized.transaction).toMatchObject({ status, canceledAt: null, errorCode: expect.any(String) });
    expect(payload).toMatchObject({
      operation: { status: 'SUCCEEDED', unknown: null },
      transaction: authorized.transaction,
      userErrors: [],
    });
    expect(await since.eventNames()).toEqual([event]);
    expect(await pending(id)).toEqual([]);
  });

  it('stays captured after a sale, and a confirmed cancel still counts as failed', async () => {
    const { id, settle } = await heldAuthorization({ intent: 'CAPTURE' });
    const cancel = await heldCancel(id);

    const captured = await settle();
    const payload = await cancel();

    expect(captured.transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
    expect(payload).toMatchObject({
      operation: { status: 'FAILED', errorCode: 'unexpected_state' },
      transaction: captured.transaction,
    });
    expect(await since.eventNames()).toEqual(['transaction.captured']);
    expect((await harness.refund(id)).transaction).toMatchObject({ refundedAmount: 1299 });
    expect(await pending(id)).toEqual([]);
  });

  it.each([
    ['approved', {}, 'AUTHORIZATION_VOIDED'],
    ['declined', { amount: 200_011 }, 'AUTHORIZATION_DECLINED'],
  ])('may be %s while the outcome of the cancel is unknown', async (_, input, status) => {
    const { id, settle } = await heldAuthorization(input);
    harness.provider.failNext('lose_answer');
    const cancel = await harness.cancel(id);
    await settle();

    await harness.pass(50_000);
    await reconcileDue(harness.server.app);

    expect((await harness.transaction(id))?.status).toBe(status);
    const row = await harness.server.app.db.prisma.operation.findFirst({
      where: { id: cancel.operation?.id ?? '' },
    });
    expect(row).toMatchObject({ status: 'succeeded', nextAttemptAt: null });
    expect(since.calls()).toEqual(['authorize', 'cancel', 'cancel']);
    expect(harness.provider.calls.at(-1)).toEqual(harness.provider.calls.at(-2));
  });
});

describe('while a cancel is pending', () => {
  it('a declined payment is not tried at another service', async () => {
    await createService(harness.server, harness.provider.url, { definitionId: 'mock-acquirer' });
    const { id, settle } = await heldAuthorization({ amount: 200_012 });
    const cancel = await heldCancel(id);

    expect((await settle()).transaction).toMatchObject({
      status: 'AUTHORIZATION_DECLINED',
      errorCode: 'issuer_decline',
    });
    await cancel();

    expect(since.calls()).toEqual(['authorize', 'cancel']);
    expect(await pending(id)).toEqual([]);
  });
});

describe('a cancel while a payment moves to the next service', () => {
  it('ends the authorisation at that service', async () => {
    const moved = holdAt('authorize.rerouted');
    const answer = harness.create({ amount: 200_012 });
    await moved.reached;
    const id = await latestId();

    const payload = await harness.cancel(id);
    moved.go();

    expect(payload.transaction).toMatchObject({ status: 'AUTHORIZATION_FAILED', errorCode: 'canceled' });
    expect((await answer).transaction).toEqual(payload.transaction);
    expect(since.calls()).toEqual(['authorize', 'cancel', 'authorize']);
    const [, cancel, second] = harness.provider.calls.slice(-3);
    expect(cancel?.authorization_key).toBe(second?.idempotency_key);
    expect(await since.eventNames()).toEqual(['transaction.failed']);
    expect(await pending(id)).toEqual([]);
  });
});

describe('many at once', () => {
  it('of twenty cancels, one is carried out', async () => {
    const id = await harness.authorized(600_001);

    const payloads = await Promise.all(Array.from({ length: 20 }, () => harness.cancel(id)));

    expect(payloads.filter(({ operation }) => operation?.status === 'SUCCEEDED')).toHaveLength(1);
    expect(payloads.filter(({ userErrors }) => userErrors[0]?.code === 'OPERATION_NOT_ALLOWED')).toHaveLength(
      19,
    );
    expect(since.calls()).toEqual(['authorize', 'cancel']);
    expect(await since.eventNames()).toEqual(['transaction.failed']);
  });

  it('a cancel and the outcome of the authorisation are each published once, in either order', async () => {
    for (let round = 0; round < 10; round++) {
      since = await harness.since();
      const { id, settle } = await heldAuthorization();

      const [authorized, cancelled] = await Promise.all([settle(), harness.cancel(id)]);

      const now = await harness.transaction(id);
      const events = await since.eventNames();
      if (cancelled.operation === null) {
        expect([now?.status, events]).toEqual(['AUTHORIZATION_SUCCEEDED', ['transaction.authorized']]);
        expect(cancelled.userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED' }]);
      } else if (now?.status === 'AUTHORIZATION_VOIDED') {
        expect(events).toEqual(['transaction.authorized', 'transaction.voided']);
      } else {
        expect([now?.status, events]).toEqual(['AUTHORIZATION_FAILED', ['transaction.failed']]);
        expect(authorized.transaction?.errorCode).toBe('canceled');
      }
      expect(await pending(id)).toEqual([]);
    }
  });
});

/** Lists the kinds of the pending operations of a transaction. */
async function pending(transactionId: string): Promise<readonly string[]> {
  const rows = await harness.server.app.db.prisma.operation.findMany({
    where: { transactionId, status: 'pending' },
  });
  return rows.map(({ kind }) => kind);
}
