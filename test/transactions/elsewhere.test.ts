import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bookElsewhere } from '../../src/modules/transactions/elsewhere/book.ts';
import { applyAfter, inboundRows } from './inbox.ts';
import { startTakeBacks, type TakeBacks } from './take-backs.ts';
import { historyOf } from './unresolved.ts';
import type { Since } from './harness.ts';

// Operations that were made at the provider, in its pages or by another program, and that nobody requested here.

let play: TakeBacks;
let since: Since;

beforeAll(async () => {
  play = await startTakeBacks();
});
afterAll(() => play.harness.stop());
beforeEach(async () => {
  since = await play.harness.since();
});

/** Reads the provider's id of a payment. */
const payment = async (id: string): Promise<string> =>
  (await play.operation(id, 'authorize')).providerReference ?? '';

/** Reports an operation without a key of ours. Returns the end state of the webhook. */
const made = async (id: string, event: string, fields: Readonly<Record<string, unknown>> = {}) =>
  play.tell({
    ...{ event, payment_service_transaction_id: await payment(id), payment_service_reference: randomUUID() },
    ...('amount' in fields && { currency: 'EUR' }),
    ...fields,
  });

const operations = (transactionId: string, kind: string) =>
  play.harness.server.app.db.prisma.operation.findMany({
    where: { transactionId, kind },
    orderBy: { id: 'asc' },
    select: { amount: true, origin: true, status: true, providerReference: true, final: true },
  });

describe('a refund that was made at the provider', () => {
  it('is booked once, with its event, ledger and history', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    const reference = randomUUID();

    const first = await made(id, 'refund.succeeded', { amount: 400, payment_service_reference: reference });
    const second = await made(id, 'refund.succeeded', { amount: 400, payment_service_reference: reference });

    expect([first, second]).toEqual(['applied', 'ignored']);
    expect(await play.money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1000, refundedAmount: 400 },
      ...{ refundable: { amount: 600 }, refunds: [{ amount: 400, status: 'SUCCEEDED' }] },
    });
    expect(await operations(id, 'refund')).toEqual([
      { amount: 400, origin: 'provider', status: 'succeeded', providerReference: reference, final: true },
    ]);
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000', 'refund 400']);
    expect(since.calls()).toEqual(['authorize']);
    expect(await since.eventNames()).toEqual(['transaction.captured', 'refund.succeeded']);
    expect(await historyOf(play.harness, id)).toContainEqual(
      expect.objectContaining({
        name: 'payment-connector-response-transaction-refund-succeeded',
        context: expect.objectContaining({ origin: 'provider', amount: 400 }),
      }),
    );
    expect(await play.findings(id)).toEqual([null, null]);
  });

  it('leaves the rest to refunds of ours', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    await made(id, 'refund.succeeded', { amount: 400 });

    const tooMuch = await play.harness.refund(id, { amount: 601 });
    const rest = await play.harness.refund(id, { amount: 600 });

    expect([tooMuch.userErrors.length, rest.userErrors]).toEqual([1, []]);
    expect(await play.money(id)).toMatchObject({ refundedAmount: 1000, refundable: { amount: 0 } });
  });

  it('above the captured amount is booked whole, with a finding', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    await play.harness.refund(id, { amount: 800 });

    await play.post({
      ...{ event: 'refund.succeeded', amount: 400, currency: 'EUR', payment_service_reference: randomUUID() },
      payment_service_transaction_id: await payment(id),
    });
    await applyAfter(play.harness, 3_600_000);

    expect(await play.money(id)).toMatchObject({ refundedAmount: 1200, refundable: { amount: 0 } });
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000', 'refund 800', 'refund 400']);
    expect(await play.findings(id)).toEqual(['refunded_exceeds_captured']);
  });

  it('can be taken back by the provider', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    const reference = randomUUID();
    await made(id, 'refund.succeeded', { amount: 400, payment_service_reference: reference });

    await made(id, 'refund.reversed', { payment_service_reference: reference, code: 'account_closed' });

    expect(await play.money(id)).toMatchObject({ refundedAmount: 0, refundReversedAmount: 400 });
  });

  it('told hours after its reversal is taken back, and ends the difference about the reversal', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    const reference = randomUUID();
    const about = { payment_service_reference: reference, payment_service_transaction_id: await payment(id) };
    await play.post({ event: 'refund.reversed', ...about });
    await applyAfter(play.harness, 3_600_000);

    const listed = () =>
      play.harness.server.app.db.prisma.difference.findMany({ where: { transactionId: id } });
    expect(await listed()).toMatchObject([
      { finding: 'unknown_operation', subject: reference, state: 'open' },
    ]);

    await play.post({ event: 'refund.succeeded', amount: 400, currency: 'EUR', ...about });
    await applyAfter(play.harness, 2 * 3_600_000);

    expect(await play.money(id)).toMatchObject({ refundedAmount: 0, refundReversedAmount: 400 });
    expect(await listed()).toMatchObject([{ finding: 'unknown_operation', state: 'resolved' }]);
  });

  it('told long before its own report is taken back all the same', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    const reference = randomUUID();
    const report = {
      ...{ payment_service_transaction_id: await payment(id), payment_service_reference: reference },
      ...{ amount: 1_400, currency: 'EUR' },
    };
    await play.post({ id: randomUUID(), event: 'refund.reversed', ...report });
    await play.post({ id: randomUUID(), event: 'refund.succeeded', ...report });

    // A refund above the captured amount is booked after an hour.
    for (let minutes = 0; minutes < 240; minutes += 30) await applyAfter(play.harness, 30 * 60_000);

    expect(await play.money(id)).toMatchObject({ refundedAmount: 0, refundReversedAmount: 1_400 });
    expect(await play.findings(id)).not.toContain('unknown_operation');
  });

  it('is taken back by its own report, and not by that of a refused refund of ours', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    await play.harness.refund(id, { amount: 1_299 });
    const reference = randomUUID();
    const report = {
      ...{ payment_service_transaction_id: await payment(id), payment_service_reference: reference },
      ...{ amount: 400, currency: 'EUR' },
    };
    await play.post({ id: randomUUID(), event: 'refund.reversed', ...report });
    await play.harness.server.http.webhooksApplied();
    await play.post({ id: randomUUID(), event: 'refund.succeeded', ...report });
    await applyAfter(play.harness, 60_000);

    expect(await play.money(id)).toMatchObject({ refundedAmount: 0, refundReversedAmount: 400 });
  });

  it('tells the merchant its origin', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    await made(id, 'refund.succeeded', { amount: 400 });
    await play.harness.refund(id, { amount: 100 });

    const { prisma } = play.harness.server.app.db;
    const events = await prisma.event.findMany({
      where: { name: 'refund.succeeded' },
      orderBy: { id: 'desc' },
      take: 2,
    });

    const targets = events.map(({ payload }) => (JSON.parse(payload) as { target: unknown }).target);
    expect(targets).toMatchObject([
      { amount: 100, origin: 'requested' },
      { amount: 400, origin: 'provider' },
    ]);
  });
});

describe('a refund that was made at the provider beside one of ours without an answer', () => {
  it('is another one if the provider has two', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    play.harness.provider.failNext('lose_answer');
    await play.harness.refund(id, { amount: 400 });
    await play.post({
      ...{ event: 'refund.succeeded', amount: 400, currency: 'EUR', payment_service_reference: randomUUID() },
      payment_service_transaction_id: await payment(id),
    });
    await play.harness.server.http.webhooksApplied();
    expect((await inboundRows(play.harness)).at(-1)?.state).toBe('parked');

    await play.harness.sync(id);
    await applyAfter(play.harness, 60_000);

    expect(await play.money(id)).toMatchObject({ refundedAmount: 800, refundable: { amount: 200 } });
    expect(await operations(id, 'refund')).toMatchObject([{ origin: 'requested' }, { origin: 'provider' }]);
  });
});

describe('a refund that was made at the provider after refused ones of ours', () => {
  it('is booked at once, because a refused refund moved no money', async () => {
    const id = await play.pay({ intent: 'CAPTURE', amount: 600_000 });
    await play.harness.refund(id, { amount: 520_002 });
    await play.harness.refund(id, { amount: 520_002 });

    expect(await made(id, 'refund.succeeded', { amount: 520_002 })).toBe('applied');

    expect(await play.money(id)).toMatchObject({ refundedAmount: 520_002, refundable: { amount: 79_998 } });
    expect((await operations(id, 'refund')).map(({ origin }) => origin)).toEqual([
      ...['requested', 'requested', 'provider'],
    ]);
  });
});

describe('a refusal without a key beside a refund of ours without an answer', () => {
  it('is not taken for ours, whose id the provider tells first', async () => {
    const id = await play.pay({ intent: 'CAPTURE' });
    play.harness.provider.failNext('lose_answer');
    await play.harness.refund(id, { amount: 400 });
    await play.post({
      ...{ event: 'refund.declined', code: 'issuer_decline', payment_service_reference: randomUUID() },
      payment_service_transaction_id: await payment(id),
    });
    await play.harness.server.http.webhooksApplied();

    await play.harness.sync(id);
    await applyAfter(play.harness, 60_000);

    expect(await play.money(id)).toMatchObject({
      ...{ refundedAmount: 400, refunds: [{ amount: 400, status: 'SUCCEEDED' }] },
    });
  });
});

describe('a report that was matched before our refund had its id', () => {
  it.each([false, true])('waits for the outcome of that refund, also for a person: %s', async (isSure) => {
    const id = await play.pay({ intent: 'CAPTURE', amount: 700_000 });
    await play.harness.refund(id, { amount: 630_001 });
    const [ours] = await operations(id, 'refund');
    const { app } = play.harness.server;
    const { merchantAccountId, paymentServiceId } = await app.db.prisma.transaction.findFirstOrThrow({
      where: { id },
    });
    const money = { amount: 630_001, currency: 'EUR' };
    const words = { occurredAt: null, rawResponseCode: null, rawResponseDescription: null };

    const result = await bookElsewhere(
      app,
      { merchantAccountId, transactionId: id, paymentServiceId: paymentServiceId ?? '' },
      {
        made: {
          ...{ kind: 'refund', reference: ours?.providerReference ?? '', money, total: null, final: null },
          ...{ captureReference: null, ...words },
        },
        ...{ isLate: true, isSure },
      },
    );

    expect(ours).toMatchObject({ status: 'pending', providerReference: expect.any(String) });
    expect(result.kind).toBe('waits');
    expect(await operations(id, 'refund')).toHaveLength(1);
  });
});

describe('a capture that was made at the provider', () => {
  it('captures the payment, and leaves the rest', async () => {
    const id = await play.pay();

    expect(await made(id, 'capture.succeeded', { amount: 900 })).toBe('applied');

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 900, capturable: { amount: 100 } },
      captures: [{ amount: 900, status: 'SUCCEEDED' }],
    });
    expect(await since.eventNames()).toEqual([
      'transaction.authorized',
      'capture.succeeded',
      'transaction.captured',
    ]);
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 900']);
  });

  it('told as the last one after its booking releases the rest, once', async () => {
    const id = await play.pay();
    const reference = { payment_service_reference: randomUUID(), amount: 400 };
    await made(id, 'capture.succeeded', { ...reference, final: false });
    expect(await play.money(id)).toMatchObject({ capturedAmount: 400, capturable: { amount: 600 } });

    const last = await made(id, 'capture.succeeded', { ...reference, final: true });
    await made(id, 'capture.succeeded', { ...reference, final: true });

    expect(last).toBe('applied');
    expect(await play.money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 400, capturable: { amount: 0 } },
    });
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 400', 'void 600']);
  });

  it('of everything, told as the last one after its booking, releases nothing', async () => {
    const id = await play.pay();
    const reference = { payment_service_reference: randomUUID(), amount: 1000 };
    await made(id, 'capture.succeeded', { ...reference, final: false });

    await made(id, 'capture.succeeded', { ...reference, final: true });

    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 1000']);
    expect(await operations(id, 'void')).toEqual([]);
  });

  it('of a provider that tells sums is booked by the difference alone', async () => {
    const id = await play.pay();
    const tell = (amount: number, total: number) =>
      made(id, 'capture.succeeded', { amount, total_amount: total });

    const states = [await tell(300, 300), await tell(500, 500), await tell(300, 300), await tell(500, 500)];

    expect(states).toEqual(['applied', 'applied', 'ignored', 'ignored']);
    expect(await play.money(id)).toMatchObject({ capturedAmount: 500 });
    expect((await operations(id, 'capture')).map(({ amount }) => amount)).toEqual([300, 200]);
    expect(await play.findings(id)).toEqual([null, null, null, null]);
  });

  it('above the authorised amount is booked whole, with a finding', async () => {
    const id = await play.pay();

    await made(id, 'capture.succeeded', { amount: 1200 });

    expect(await play.money(id)).toMatchObject({ capturedAmount: 1200, capturable: { amount: 0 } });
    expect(await play.findings(id)).toEqual(['captured_exceeds_authorized']);
  });

  it('of another currency is not booked', async () => {
    const id = await play.pay();

    expect(await made(id, 'capture.succeeded', { amount: 900, currency: 'USD' })).toBe('ignored');

    expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0 });
    expect(await play.findings(id)).toEqual(['other_money']);
  });
});

describe('a void that was made at the provider', () => {
  it('voids the payment once', async () => {
    const id = await play.pay();

    const ends = [await made(id, 'void.succeeded'), await made(id, 'void.succeeded')];

    expect(ends).toEqual(['applied', 'ignored']);
    expect(await play.money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED', capturable: { amount: 0 } });
    expect(await since.eventNames()).toEqual(['transaction.authorized', 'transaction.voided']);
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'void 1000']);
  });

  it('after a capture releases the rest', async () => {
    const id = await play.pay();
    await play.harness.capture(id, { amount: 400, final: false });

    await made(id, 'void.succeeded');

    expect(await play.money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 400, capturable: { amount: 0 } },
    });
    expect(await play.ledger(id)).toEqual(['authorize 1000', 'capture 400', 'void 600']);
  });
});
