import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { applyDueWebhooks, reconcileDue } from '../../src/modules/transactions/index.ts';
import { setFailpoint } from '../../src/platform/failpoint.ts';
import { holdAt, holdFirstAt } from '../support/hold.ts';
import { historyOf, resolve } from './unresolved.ts';
import { createService, startHarness, type Harness, type Since } from './harness.ts';
import {
  applyAfter,
  ended,
  inboundRows,
  inboxOf,
  putOff,
  until,
  type Inbox,
  type Reported,
} from './inbox.ts';

const DAY = 24 * 3_600_000;

let harness: Harness;
let inbox: Inbox;
/** The webhook address of another payment service of the same merchant. The service receives no requests. */
let otherInbox: Inbox;
let since: Since;
/** The count of ended webhooks before the test. */
let before: number;

beforeAll(async () => {
  harness = await startHarness('mock-acquirer');
  inbox = await inboxOf(harness);
  const other = await createService(harness.server, harness.provider.url, { definitionId: 'mock-acquirer' });
  otherInbox = await inboxOf(harness, other);
});
afterAll(() => harness.stop());
beforeEach(async () => {
  since = await harness.since();
  before = (await inboundRows(harness)).filter(({ state }) => state !== 'parked').length;
});

const tell = (reported: Reported): Promise<number> => inbox.tell({ id: randomUUID(), ...reported });
const lastState = async () => (await inboundRows(harness)).at(-1)?.state;

const processed = async (transactionId: string) =>
  (await historyOf(harness, transactionId))
    .filter(({ name }) => name === 'payment-connector-transaction-webhook-processed')
    .map(({ context }) => context);

const operations = (where: object) =>
  harness.server.app.db.prisma.operation.findMany({ where, orderBy: { id: 'asc' } });

/** Creates a capture that the provider accepts and decides later. */
async function pendingCapture(): Promise<{ id: string; key: string; payment: unknown }> {
  const id = await harness.authorized(1_000_000);
  await harness.capture(id, { amount: 610_001 });
  const [capture] = await operations({ transactionId: id, kind: 'capture' });
  const payment = (await harness.transaction(id))?.['paymentServiceTransactionId'];
  return { id, key: capture?.id ?? '', payment };
}

describe('a webhook that is earlier than our own answer', () => {
  it('waits until the payment is known, and ends the operation that is pending then', async () => {
    const held = holdFirstAt('authorize.called');
    const creating = harness.create({ amount: 600_001, intent: 'CAPTURE' });
    await held.reached;
    const payment = [...harness.provider.books.values()].at(-1)?.id;

    expect(await tell({ payment_service_transaction_id: payment, event: 'capture.succeeded' })).toBe(200);
    await putOff(harness);
    expect(await since.eventNames()).toEqual([]);
    held.go();
    const { transaction } = await creating;
    expect(transaction).toMatchObject({ status: 'CAPTURE_PENDING' });
    // The payment is known now. The match happens at once, without the timer.
    await applyAfter(harness, 0);

    expect(await lastState()).toBe('applied');
    const id = transaction?.id ?? '';
    expect(await harness.transaction(id)).toMatchObject({
      status: 'CAPTURE_SUCCEEDED',
      capturedAmount: 600_001,
    });
    expect(await since.eventNames()).toEqual(['transaction.capture-pending', 'transaction.captured']);
    expect(await processed(id)).toMatchObject([{ changed: true }]);
    expect(since.calls()).toEqual(['authorize']);
  });

  it('does not affect a later operation', async () => {
    const held = holdFirstAt('authorize.called');
    const creating = harness.create({ amount: 1_000_000 });
    await held.reached;
    const payment = [...harness.provider.books.values()].at(-1)?.id;
    expect(await tell({ payment_service_transaction_id: payment, event: 'capture.succeeded' })).toBe(200);
    await putOff(harness);
    held.go();
    const id = (await creating).transaction?.id ?? '';
    await harness.capture(id, { amount: 610_001 });

    await applyAfter(harness, 0);

    expect(await processed(id)).toMatchObject([{ finding: 'unknown_operation' }]);
    expect(await harness.transaction(id)).toMatchObject({ status: 'CAPTURE_PENDING', capturedAmount: 0 });
  });

  it('lets our own answer be first, even when the webhook names our key', async () => {
    const id = await harness.authorized(5000);
    const held = holdFirstAt('capture.called');
    const capturing = harness.capture(id);
    await held.reached;
    const [capture] = await operations({ transactionId: id, kind: 'capture' });

    expect(await tell({ idempotency_key: capture?.id, event: 'capture.declined' })).toBe(200);
    await putOff(harness);
    held.go();
    expect((await capturing).operation).toMatchObject({ status: 'SUCCEEDED' });
    await applyAfter(harness, 1_500);

    expect(await lastState()).toBe('ignored');
    expect(await processed(id)).toMatchObject([{ finding: 'contradicts', status: 'succeeded' }]);
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 5000 });
  });

  it('is applied when our own answer never comes', async () => {
    const id = await harness.authorized(5000);
    const held = holdFirstAt('capture.called');
    const capturing = harness.capture(id);
    await held.reached;
    const [capture] = await operations({ transactionId: id, kind: 'capture' });
    expect(await tell({ idempotency_key: capture?.id, event: 'capture.succeeded' })).toBe(200);
    await putOff(harness);

    await applyAfter(harness, 20_000);

    expect(await lastState()).toBe('applied');
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 5000 });
    held.go();
    expect((await capturing).operation).toMatchObject({ status: 'SUCCEEDED' });
    expect(await since.eventNames()).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
    ]);
  });

  it('does not decline an operation that was sent again later', async () => {
    const id = await harness.authorized(5000);
    const held = holdFirstAt('capture.called');
    const capturing = harness.capture(id);
    await held.reached;
    const [capture] = await operations({ transactionId: id, kind: 'capture' });
    expect(await tell({ idempotency_key: capture?.id, event: 'capture.failed' })).toBe(200);
    await putOff(harness);
    // The first caller has died. The request is sent again, and its answer is lost.
    await harness.pass(20_000);
    harness.provider.failNext('lose_answer');
    await reconcileDue(harness.server.app);

    await applyAfter(harness, 0);

    expect(await processed(id)).toMatchObject([{ finding: 'sent_again', status: 'pending' }]);
    await reconcileDue(harness.server.app);
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 5000 });
    held.go();
    await capturing;
  });
});

describe('webhooks out of order', () => {
  it('never change a final status', async () => {
    const { id, key } = await pendingCapture();
    for (const [index, event] of [
      'capture.succeeded',
      'capture.pending',
      'capture.declined',
      'capture.failed',
    ].entries()) {
      expect(await tell({ idempotency_key: key, event })).toBe(200);
      await ended(harness, before + index + 1);
    }

    expect(await harness.transaction(id)).toMatchObject({
      status: 'CAPTURE_SUCCEEDED',
      capturedAmount: 610_001,
    });
    expect((await processed(id)).map(({ changed, finding }) => [changed, finding])).toEqual([
      [true, undefined],
      [false, undefined],
      [false, 'contradicts'],
      [false, 'contradicts'],
    ]);
    const names = await since.eventNames();
    expect(names.filter((name) => name.startsWith('capture.'))).toEqual([
      'capture.pending',
      'capture.succeeded',
    ]);
  });

  it('an approval after a person resolved the operation as failed is recorded, and changes nothing', async () => {
    const { id, key } = await pendingCapture();
    await resolve(harness, key, { outcome: 'FAILED', reason: 'Not in the back office.' });
    const was = await harness.transaction(id);

    await tell({ idempotency_key: key, event: 'capture.succeeded', amount: 610_001, currency: 'USD' });
    await ended(harness, before + 1);

    expect(await harness.transaction(id)).toEqual(was);
    expect(was).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0 });
    expect(await processed(id)).toMatchObject([
      { finding: 'contradicts', status: 'failed', webhook_event: 'capture.succeeded' },
    ]);
    const warning = harness.server
      .logs()
      .split('\n')
      .findLast((line) => line.includes('A webhook does not fit'));
    expect(JSON.parse(warning ?? '{}')).toMatchObject({
      level: 40,
      operationId: key,
      notified: 'succeeded',
      finding: 'contradicts',
    });
  });
});

describe('the same webhook', () => {
  it('received again changes nothing and is recorded once', async () => {
    const { id, key } = await pendingCapture();
    const reported = { id: 'evt told twice', idempotency_key: key, event: 'capture.succeeded' };
    expect(await inbox.tell(reported)).toBe(200);
    await ended(harness, before + 1);
    expect([await inbox.tell(reported), await inbox.tell({ ...reported, message: 'again' })]).toEqual([
      200, 200,
    ]);
    await applyAfter(harness, 60_000);

    expect(await processed(id)).toHaveLength(1);
    expect((await inboundRows(harness)).filter(({ transactionId }) => transactionId === id)).toHaveLength(1);
  });

  it('received twenty times at once is applied and recorded once', async () => {
    const { id, key } = await pendingCapture();
    const reported = { id: 'evt told at once', idempotency_key: key, event: 'capture.succeeded' };

    const statuses = await Promise.all(Array.from({ length: 20 }, () => inbox.tell(reported)));
    await ended(harness, before + 1);
    await applyAfter(harness, 60_000);

    expect(statuses).toEqual(Array.from({ length: 20 }, () => 200));
    expect(await processed(id)).toMatchObject([{ changed: true }]);
    const names = (await since.eventNames()).filter((name) => name === 'capture.succeeded');
    expect(names).toHaveLength(1);
  });

  it('received as twenty events at once is applied once, and recorded twenty times', async () => {
    const { id, key } = await pendingCapture();

    await Promise.all(
      Array.from({ length: 20 }, () => tell({ idempotency_key: key, event: 'capture.succeeded' })),
    );
    // A webhook that overtakes an older one waits for the loop.
    await until(async () => {
      await applyAfter(harness, 1_000);
      const rows = await inboundRows(harness);
      return rows.filter(({ state }) => state !== 'parked').length === before + 20 ? true : null;
    });

    const noted = await processed(id);
    expect([noted.length, noted.filter(({ changed }) => changed === true).length]).toEqual([20, 1]);
    expect((await harness.ledger()).slice(-1)).toEqual([{ kind: 'capture', amount: 610_001 }]);
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 610_001 });
  });
});

describe('a crash', () => {
  it('after a webhook is stored leaves the webhook to the loop', async () => {
    const { id, key } = await pendingCapture();
    const held = holdAt('inbound.stored');
    const telling = tell({ idempotency_key: key, event: 'capture.succeeded' });
    await held.reached;
    expect(await applyDueWebhooks(harness.server.app)).toBe(false);
    expect(await lastState()).toBe('parked');

    await applyAfter(harness, 10_000);

    expect(await lastState()).toBe('applied');
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 610_001 });
    // A process that seemed dead continues.
    const applied = holdAt('inbound.applied');
    held.go();
    expect(await telling).toBe(200);
    await applied.reached;
    applied.go();
    expect(await processed(id)).toHaveLength(1);
  });

  it('after the settle leaves only the record to write, and settles nothing twice', async () => {
    const { id, key } = await pendingCapture();
    const remove = setFailpoint('inbound.settled', () => {
      throw new Error('The process dies here.');
    });
    await tell({ idempotency_key: key, event: 'capture.succeeded' });
    await until(async () => (harness.server.logs().includes('The process dies here.') ? true : null));
    remove();
    expect(await harness.transaction(id)).toMatchObject({ capturedAmount: 610_001 });
    expect([await lastState(), await processed(id)]).toEqual(['parked', []]);

    await applyAfter(harness, 10_000);

    expect(await lastState()).toBe('ignored');
    expect(await processed(id)).toEqual([expect.not.objectContaining({ finding: expect.anything() })]);
    const names = (await since.eventNames()).filter((name) => name === 'capture.succeeded');
    expect(names).toHaveLength(1);
  });
});

describe('a webhook without a known operation', () => {
  it('is retried ever more rarely for seven days, and then no more', async () => {
    expect(await tell({ payment_service_transaction_id: 'pay_elsewhere', event: 'capture.succeeded' })).toBe(
      200,
    );
    await putOff(harness);
    const pauses: number[] = [];
    for (let looks = 0; looks < 12; looks += 1) {
      const due = (await inboundRows(harness)).at(-1)?.nextAttemptAt?.getTime() ?? 0;
      const pauseMs = Math.max(due - harness.clock.now().getTime(), 0);
      pauses.push(pauseMs);
      await applyAfter(harness, pauseMs);
    }
    expect(pauses.at(-1)).toBeGreaterThan(pauses[1] ?? Infinity);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(3_600_000);
    await applyAfter(harness, 6 * DAY);
    expect(await lastState()).toBe('parked');

    await applyAfter(harness, DAY);

    expect((await inboundRows(harness)).at(-1)).toMatchObject({
      state: 'expired',
      transactionId: null,
      nextAttemptAt: null,
    });
    const history = await harness.server.app.db.prisma.historyEntry.count({
      where: {
        context: { path: ['payment_service_transaction_id'], equals: 'pay_elsewhere' },
        name: { contains: 'webhook' },
      },
    });
    expect(history).toBe(0);
    await applyAfter(harness, DAY);
    expect(await lastState()).toBe('expired');
  });
});

it('another payment service of the same merchant cannot touch an operation, by key or by reference', async () => {
  const { id, key, payment } = await pendingCapture();
  for (const naming of [{ idempotency_key: key }, { payment_service_transaction_id: payment }])
    expect(await otherInbox.tell({ ...naming, event: 'capture.succeeded' })).toBe(200);
  await applyAfter(harness, 30_000);

  expect(await harness.transaction(id)).toMatchObject({ status: 'CAPTURE_PENDING', capturedAmount: 0 });
  expect(await processed(id)).toEqual([]);
  expect((await inboundRows(harness)).slice(-2).map(({ state }) => state)).toEqual(['parked', 'parked']);
});

it("another merchant's payment service cannot touch an operation, by key or by reference", async () => {
  const { id, key, payment } = await pendingCapture();
  const was = await harness.transaction(id);
  const { token } = await harness.server.createMerchantAccount();
  const { body } = await harness.server.graphql<{
    createPaymentService: { paymentService: { webhookUrl: string } };
  }>(
    `mutation { createPaymentService(input: { displayName: "Theirs", paymentServiceDefinitionId: "mock-acquirer",
      fields: [{ key: "merchant_id", value: "x" }], acceptedCurrencies: ["USD"], acceptedCountries: ["US"] }) {
      paymentService { webhookUrl } } }`,
    {},
    { token },
  );
  const theirs = body.data?.createPaymentService.paymentService.webhookUrl ?? '';
  for (const naming of [{ idempotency_key: key }, { payment_service_transaction_id: payment }]) {
    const reported = JSON.stringify({ ...naming, event: 'capture.succeeded' });
    expect((await fetch(theirs, { method: 'POST', body: reported })).status).toBe(200);
  }
  await applyAfter(harness, 30_000);

  expect(await harness.transaction(id)).toEqual(was);
  expect(await processed(id)).toEqual([]);
  expect((await inboundRows(harness)).slice(-2).map(({ state }) => state)).toEqual(['parked', 'parked']);
});

it('a webhook, reconciliation and a sync at once settle and publish once, fifty times', async () => {
  const { app } = harness.server;
  for (let round = 0; round < 50; round += 1) {
    const { id, key, payment } = await pendingCapture();
    const ways = before + round + 1;
    await harness.pass(61_000);
    const naming = round % 2 ? { idempotency_key: key } : { payment_service_transaction_id: payment };
    const reported = { id: `evt round ${round}`, ...naming, event: 'capture.succeeded' };

    const acts: readonly (() => Promise<unknown>)[] = [
      () => inbox.tell(reported),
      () => reconcileDue(app),
      () => harness.sync(id),
      () => applyDueWebhooks(app),
    ];
    await Promise.all(acts.map(async (_, index) => acts[(index + round) % acts.length]?.()));
    await until(async () => {
      await applyAfter(harness, 1_000);
      return (await inboundRows(harness)).filter(({ state }) => state !== 'parked').length >= ways
        ? true
        : null;
    });

    expect(await harness.transaction(id)).toMatchObject({
      status: 'CAPTURE_SUCCEEDED',
      capturedAmount: 610_001,
    });
    const notified = await app.db.prisma.event.findMany({
      where: { payload: { contains: id } },
      orderBy: { position: 'asc' },
    });
    expect(notified.slice(-3).map(({ name }) => name)).toEqual([
      'transaction.capture-pending',
      'capture.succeeded',
      'transaction.captured',
    ]);
    expect(notified).toHaveLength(5);
    expect(await processed(id)).toHaveLength(1);
    expect((await operations({ transactionId: id, kind: 'capture' })).map(({ status }) => status)).toEqual([
      'succeeded',
    ]);
  }
}, 240_000);
