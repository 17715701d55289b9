import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { createService, startHarness, type Harness, type Since } from './harness.ts';

let harness: Harness;
/** A payment service without cancel. The other service comes first, so tests name this service by its id. */
let atOnce: string;
let since: Since;

beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
  atOnce = await createService(harness.server, harness.provider.url, { displayName: 'Decides at once' });
});
afterAll(() => harness.stop());
beforeEach(async () => {
  since = await harness.since();
});

/** The amount of an authorisation that the acquirer accepts and decides later. */
const DECIDED_LATER = 600_001;

/** The amount of a payment that the acquirer refuses to cancel. */
const NOT_CANCELLED = 640_001;

/** Creates a payment whose authorisation request got lost. Its outcome is unknown. */
async function unknown(input: Record<string, unknown> = {}, key?: string): Promise<string> {
  harness.provider.failNext('lose_request');
  const { transaction } = await harness.create(input, key);
  expect(transaction?.status).toBe('PROCESSING');
  return transaction?.id ?? '';
}

const acceptedPayment = (): Promise<string> => harness.authorized(DECIDED_LATER);

const operations = (transactionId: string) =>
  harness.server.app.db.prisma.operation.findMany({
    where: { transactionId },
    orderBy: { id: 'asc' },
    select: { id: true, kind: true, status: true, errorCode: true, sealedCard: true, nextAttemptAt: true },
  });

describe('cancelTransaction', () => {
  it.each([
    ['with a pending authorisation', () => acceptedPayment()],
    ['whose authorisation has an unknown outcome', () => unknown()],
    ['of which the sale is of unknown outcome', () => unknown({ intent: 'CAPTURE' })],
  ])('ends a payment %s', async (_, make) => {
    const id = await make();
    const ledger = await harness.ledger();

    const payload = await harness.cancel(id);

    expect(payload).toMatchObject({
      operation: { status: 'SUCCEEDED', errorCode: null, unknown: null },
      transaction: {
        status: 'AUTHORIZATION_FAILED',
        intentOutcome: 'FAILED',
        errorCode: 'canceled',
        authorizedAmount: 0,
        capturedAmount: 0,
        canceledAt: expect.any(String),
        authorizedAt: null,
      },
      userErrors: [],
      replayed: false,
    });
    expect(since.calls()).toEqual(['authorize', 'cancel']);
    expect(await since.eventNames()).toEqual(['transaction.failed']);
    expect(await harness.ledger()).toEqual(ledger);
    const [authorization, cancel] = await operations(id);
    expect(authorization).toMatchObject({ status: 'failed', errorCode: 'canceled', sealedCard: null });
    expect([authorization?.nextAttemptAt, cancel?.nextAttemptAt]).toEqual([null, null]);
    expect(harness.provider.calls.at(-1)).toMatchObject({
      idempotency_key: cancel?.id,
      authorization_key: authorization?.id,
    });
    expect(await harness.transaction(id)).toEqual(payload.transaction);
  });

  it('is refused by a payment service without the feature, and nothing happens', async () => {
    const id = await unknown({ paymentServiceId: atOnce });
    const before = await harness.transaction(id);

    const payload = await harness.cancel(id, 'not here');

    expect(payload).toMatchObject({
      operation: null,
      transaction: null,
      userErrors: [{ code: 'OPERATION_NOT_SUPPORTED', feature: 'cancel', path: ['id'] }],
    });
    expect(since.calls()).toEqual(['authorize']);
    expect(await since.eventNames()).toEqual([]);
    expect(await harness.transaction(id)).toEqual(before);
    expect(await operations(id)).toHaveLength(1);
    await reconcileLater();
    expect((await harness.transaction(id))?.status).toBe('AUTHORIZATION_SUCCEEDED');
  });

  it.each([
    ['AUTHORIZATION_SUCCEEDED', () => harness.authorized(), ['authorize']],
    ['CAPTURE_SUCCEEDED', () => harness.captured(), ['authorize']],
    ['AUTHORIZATION_DECLINED', () => harness.authorized(200_011), ['authorize']],
    ['CAPTURE_PENDING', () => harness.captured(DECIDED_LATER), ['authorize']],
    ['AUTHORIZATION_VOIDED', voided, ['authorize', 'void']],
    ['AUTHORIZATION_FAILED', cancelled, ['authorize', 'cancel']],
  ])('is refused for a payment in %s, and nothing happens', async (status, make, calls) => {
    const id = await make();
    const before = await harness.transaction(id);
    const events = await since.eventNames();

    const payload = await harness.cancel(id);

    expect(payload.userErrors).toMatchObject([{ code: 'OPERATION_NOT_ALLOWED', status, path: ['id'] }]);
    expect(since.calls()).toEqual(calls);
    expect(await since.eventNames()).toEqual(events);
    expect(await harness.transaction(id)).toEqual(before);
  });

  it.each(['0198c1d2-0000-7000-8000-000000000000', 'nonsense', ''])(
    'answers NOT_FOUND for the id "%s"',
    async (id) => {
      expect((await harness.cancel(id)).userErrors).toMatchObject([{ code: 'NOT_FOUND', path: ['id'] }]);
      expect(since.calls()).toEqual([]);
    },
  );

  it('changes nothing when the provider declines: the payment is authorised later', async () => {
    const id = await unknown({ amount: NOT_CANCELLED });
    const before = await harness.transaction(id);

    const payload = await harness.cancel(id, 'refused');

    expect(payload).toMatchObject({
      operation: { status: 'FAILED', errorCode: 'service_error' },
      transaction: { status: 'PROCESSING', errorCode: null, canceledAt: null, intentOutcome: 'PENDING' },
      userErrors: [],
    });
    expect(await since.eventNames()).toEqual([]);
    expect(await harness.transaction(id)).toEqual(before);
    expect(await harness.cancel(id, 'refused')).toEqual({ ...payload, replayed: true });
    await reconcileLater();
    expect(await harness.transaction(id)).toMatchObject({
      status: 'AUTHORIZATION_SUCCEEDED',
      authorizedAmount: NOT_CANCELLED,
    });
    expect(since.calls()).toEqual(['authorize', 'cancel', 'authorize']);
  });

  it('can be requested again after the provider has declined', async () => {
    const id = await unknown({ amount: NOT_CANCELLED });
    await harness.cancel(id);

    expect((await harness.cancel(id)).operation?.status).toBe('FAILED');
    expect(since.calls()).toEqual(['authorize', 'cancel', 'cancel']);
    await reconcileLater();
  });

  it('answers a repeated key from the record and calls no provider', async () => {
    const id = await acceptedPayment();
    const first = await harness.cancel(id, 'once');

    expect(await harness.cancel(id, 'once')).toEqual({ ...first, replayed: true });
    expect(since.calls()).toEqual(['authorize', 'cancel']);
    expect(await since.eventNames()).toEqual(['transaction.failed']);
  });

  it('refuses a key that another payment has used', async () => {
    await harness.cancel(await acceptedPayment(), 'taken');
    const other = await acceptedPayment();

    const payload = await harness.cancel(other, 'taken');

    expect(payload.userErrors).toMatchObject([{ code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['id'] }]);
    expect((await harness.transaction(other))?.status).toBe('PROCESSING');
    expect(since.calls()).toEqual(['authorize', 'cancel', 'authorize']);
    await harness.cancel(other);
  });

  it.each([
    ['taken on', { amount: DECIDED_LATER }],
    ['lost on its way', {}],
  ])('makes the key of a payment that was %s return the cancelled payment', async (how, input) => {
    const key = `payment ${how}`;
    const id =
      how === 'taken on' ? (await harness.create(input, key)).transaction?.id : await unknown({}, key);
    const { transaction } = await harness.cancel(id ?? '');

    const again = await harness.create(input, key);

    expect(again).toMatchObject({ transaction, userErrors: [], replayed: true });
    expect(again.transaction).toMatchObject({ id, status: 'AUTHORIZATION_FAILED', errorCode: 'canceled' });
    const { operation } = harness.server.app.db.prisma;
    const ended = await operation.findFirst({ where: { idempotencyKey: key } });
    expect(ended?.answer).toContain('"canceled"');
    expect(since.calls()).toEqual(['authorize', 'cancel']);
  });
});

describe('a cancel with an unknown outcome', () => {
  it.each(['lose_request', 'lose_answer', 'error_after_work', 'nonsense'] as const)(
    'stays pending after %s and is settled under the same key',
    async (fault) => {
      const id = await acceptedPayment();
      harness.provider.failNext(fault);

      const payload = await harness.cancel(id, `unknown ${fault}`);

      expect(payload).toMatchObject({
        operation: { status: 'PENDING', unknown: { cause: expect.any(String) } },
        transaction: { status: 'PROCESSING', canceledAt: null },
      });
      expect((await harness.cancel(id)).userErrors).toMatchObject([
        { code: 'OPERATION_NOT_ALLOWED', status: 'PROCESSING' },
      ]);
      await reconcileLater();
      expect(await harness.transaction(id)).toMatchObject({
        status: 'AUTHORIZATION_FAILED',
        errorCode: 'canceled',
      });
      expect(since.calls()).toEqual(['authorize', 'cancel', 'cancel']);
      expect(harness.provider.calls.at(-1)).toEqual(harness.provider.calls.at(-2));
      expect(await since.eventNames()).toEqual(['transaction.failed']);
      expect(await harness.cancel(id, `unknown ${fault}`)).toMatchObject({
        replayed: true,
        operation: { id: payload.operation?.id, status: 'SUCCEEDED' },
      });
    },
  );
});

describe('a cancel whose process dies', () => {
  let removeFailpoint: () => void = () => undefined;
  afterEach(() => removeFailpoint());

  it.each(['cancel.claimed', 'cancel.called', 'cancel.settling', 'cancel.settled'])(
    'at %s ends the payment once',
    async (point) => {
      const id = await acceptedPayment();
      removeFailpoint = setFailpoint(point, () => {
        throw new Error('The process died.');
      });
      await expect(harness.cancel(id, point)).rejects.toThrow('INTERNAL_SERVER_ERROR');
      removeFailpoint();

      await reconcileLater();

      expect(await harness.transaction(id)).toMatchObject({
        status: 'AUTHORIZATION_FAILED',
        errorCode: 'canceled',
      });
      expect(await since.eventNames()).toEqual(['transaction.failed']);
      const cancels = harness.provider.calls.filter(
        ({ operation, authorization_key: key }) =>
          operation === 'cancel' && key === harness.provider.calls.at(-1)?.authorization_key,
      );
      expect(new Set(cancels.map(({ idempotency_key }) => idempotency_key)).size).toBe(1);
      expect(await harness.cancel(id, point)).toMatchObject({ replayed: true });
    },
  );
});

async function voided(): Promise<string> {
  const id = await harness.authorized();
  await harness.void(id);
  return id;
}

async function cancelled(): Promise<string> {
  const id = await acceptedPayment();
  await harness.cancel(id);
  return id;
}

/** Advances beyond every lease, but not to the provider's next status inquiry. */
async function reconcileLater(): Promise<void> {
  await harness.pass(50_000);
  await reconcileDue(harness.server.app);
}
