import { describe, expect, it } from '@jest/globals';
import { receiveWebhook } from '../../src/modules/transactions/index.ts';
import { readNamed } from '../../src/modules/transactions/look-up/named-payment.sql.ts';
import { sweepPayment } from '../../src/modules/transactions/sweep/sweep-payment.ts';
import { connect } from '../connectors/kit/service.ts';
import { until } from '../support/until.ts';
import { openLookUpShop } from './look-up-shop.ts';

// The note about a webhook stays until the provider has answered a look-up that began after the webhook.

const shop = await openLookUpShop();
const { double, harness, prisma, service, knock, calls, called, begun, paid, useUp, moneyOf, noted, lookUp } =
  shop;

const READ = /^GET \/v2\/payments\//;

/** Receives a webhook in a process that ends before the look-up. */
async function received(payment: string): Promise<void> {
  const token = service.webhookUrl.split('/').at(-1) ?? '';
  const webhook = { token, headers: {}, rawBody: Buffer.from(`id=${payment}`) };
  expect(await receiveWebhook(harness.server.app, webhook)).toMatchObject({
    ...{ ok: true, value: { stored: [], lookUps: [{ reference: payment }] } },
  });
}

const kindsOf = async (transactionId: string) =>
  (await prisma.operation.findMany({ where: { transactionId } })).map(({ kind }) => kind);

/** A payment that expired here, and that the provider took afterwards. */
async function paidTooLate() {
  const { id, payment } = await begun();
  double.hands.expire(payment);
  await knock(payment);
  expect((await moneyOf(id)).status).toBe('AUTHORIZATION_FAILED');
  const there = double.payments().find((each) => each.id === payment);
  Object.assign(there ?? {}, { status: 'paid', paidAt: new Date(), expiredAt: null });
  await harness.pass(60_000);
  return { id, payment };
}

/** Begins a look-up whose answer is from before a refund of 300. A second webhook tells of the refund. */
async function refundedDuringLookUp(payment: string, secondly: () => Promise<unknown>): Promise<void> {
  calls();
  double.failNext(['hang'], READ);
  const first = knock(payment);
  await called(1);
  double.hands.refund(payment, 300);
  const second = secondly();
  await until(async () => (await noted(payment))[0]?.reports === 2);
  double.release();
  await Promise.all([first, second]);
}

describe('many webhooks', () => {
  it('make few calls, and the loop finds what the budget left out', async () => {
    const { id, payment } = await paid();
    const begunAt = harness.clock.now().getTime();

    const statuses = await Promise.all(Array.from({ length: 1_000 }, () => knock(payment)));

    expect(new Set(statuses)).toEqual(new Set([200]));
    const made = calls();
    expect(new Set(made)).toEqual(new Set([`GET /v2/payments/${payment}`]));
    // Three look-ups at once and one in ten seconds, each with one read of a payment that has no parts.
    const most = 3 + Math.floor((harness.clock.now().getTime() - begunAt) / 10_000);
    expect(made.length).toBeLessThanOrEqual(most);
    await useUp(payment);
    double.hands.refund(payment, 300);
    expect(await knock(payment)).toBe(200);
    expect(calls()).toEqual([]);
    expect((await moneyOf(id)).refundedAmount).toBe(0);

    await lookUp();

    expect((await moneyOf(id)).refundedAmount).toBe(300);
    expect(await noted(payment)).toEqual([]);
  });

  it('lead to one question of the loop a minute, however many come', async () => {
    const { payment } = await paid();
    await useUp(payment);
    await lookUp();
    await useUp(payment);
    calls();
    for (let second = 0; second < 5; second += 1) {
      await received(payment);
      await lookUp(0);
    }
    expect(calls()).toEqual([]);

    await lookUp();

    expect(calls()).toEqual([`GET /v2/payments/${payment}`]);
  });
});

describe('news during a look-up', () => {
  it('lead to one more look-up', async () => {
    const { id, payment } = await paid();

    await refundedDuringLookUp(payment, () => knock(payment));

    expect((await moneyOf(id)).refundedAmount).toBe(300);
    expect(await noted(payment)).toEqual([]);
  });

  it('are kept for the loop when the budget is used up', async () => {
    const { id, payment } = await paid();
    await knock(payment);
    await knock(payment);

    await refundedDuringLookUp(payment, () => knock(payment));

    expect((await moneyOf(id)).refundedAmount).toBe(0);
    await lookUp();
    expect((await moneyOf(id)).refundedAmount).toBe(300);
    expect(await noted(payment)).toEqual([]);
  });

  it('are kept when they came to another process, which ended', async () => {
    const { id, payment } = await paid();

    await refundedDuringLookUp(payment, () => received(payment));

    expect(await noted(payment)).toMatchObject([{ leasedUntil: null }]);
    await lookUp();
    expect((await moneyOf(id)).refundedAmount).toBe(300);
  });

  it('are kept during a question of the loop', async () => {
    const { id, payment } = await paid();
    await received(payment);
    calls();
    double.failNext(['hang'], READ);
    const first = lookUp();
    await called(1);
    double.hands.refund(payment, 300);
    await received(payment);
    double.release();
    await first;

    expect((await moneyOf(id)).refundedAmount).toBe(0);
    await lookUp();
    expect((await moneyOf(id)).refundedAmount).toBe(300);
  });
});

describe('a look-up that did not end', () => {
  it('is made again after a crash', async () => {
    const { id, payment } = await paid();
    double.hands.refund(payment, 300);

    await received(payment);
    await lookUp();

    expect((await moneyOf(id)).refundedAmount).toBe(300);
    expect(await noted(payment)).toEqual([]);
  });

  it('is made again after a crash for a payment that had failed here', async () => {
    const { id, payment } = await paidTooLate();

    await received(payment);
    await lookUp();

    expect(await kindsOf(id)).toContain('release');
    expect(await noted(payment)).toEqual([]);
  });

  it('is made again after a crash for a payment that was refunded whole', async () => {
    const { id, payment } = await paid();
    double.hands.refund(payment, 1299);
    await knock(payment);
    expect((await moneyOf(id)).refundedAmount).toBe(1299);
    const refund = double.payments().find((each) => each.id === payment)?.refunds[0];
    double.hands.failRefund(refund?.id ?? '');

    await received(payment);
    await lookUp();

    expect((await moneyOf(id)).refundedAmount).toBe(0);
  });

  it('is made again for a payment that waits for its buyer', async () => {
    const { id, payment } = await begun();
    double.hands.decide(payment, 'approve');

    await received(payment);
    await lookUp();

    expect((await moneyOf(id)).status).toBe('CAPTURE_SUCCEEDED');
    expect(await noted(payment)).toEqual([]);
  });
});

it('follows an earlier attempt, after which the payment went on at another payment service', async () => {
  const { id, payment } = await paidTooLate();
  const other = await connect(harness, 'mollie-card', shop.fields);
  // A repeat of the authorisation elsewhere leaves the earlier attempt its id alone.
  await prisma.transaction.updateMany({
    where: { id },
    data: { paymentServiceId: other.id, paymentServiceTransactionId: null },
  });

  await knock(payment);

  expect(await kindsOf(id)).toContain('release');
  expect(await noted(payment)).toEqual([]);
});

it('tells the approval of a failed authorisation only after a webhook', async () => {
  const { id, payment } = await paidTooLate();
  const { merchantAccountId } = await prisma.transaction.findFirstOrThrow({ where: { id } });
  const { app } = harness.server;
  const named = await readNamed(app.db, {
    merchantAccountId,
    paymentServiceId: service.id,
    reference: payment,
  });
  if (!named) throw new Error('The payment is not here');
  const told = () =>
    prisma.inboundWebhook.count({ where: { eventKey: { startsWith: 'books:authorize:succeeded' } } });
  const before = await told();

  expect(await sweepPayment(app, service.id, named)).toMatchObject({ kind: 'compared' });
  expect(await told()).toBe(before);

  await sweepPayment(app, service.id, named, { ownsMs: 1 });
  expect(await told()).toBe(before + 1);
});

describe('a provider without an answer', () => {
  it('is asked again a minute later, however many webhooks come', async () => {
    const { id, payment } = await paid();
    double.hands.refund(payment, 300);
    for (let nth = 0; nth < 2; nth += 1) {
      double.failNext(['error_before_work'], READ);
      expect(await knock(payment)).toBe(200);
    }
    const now = harness.clock.now().getTime();
    const [note] = await noted(payment);
    expect(note).toMatchObject({ tries: 0, leasedUntil: null });
    expect(note?.nextAt.getTime()).toBeLessThanOrEqual(now + 60_000);
    expect(await prisma.unansweredPayment.count({ where: { transactionId: id } })).toBe(0);

    await lookUp();

    expect((await moneyOf(id)).refundedAmount).toBe(300);
  });

  it('is asked with longer pauses by the loop, and never forgotten', async () => {
    const { id, payment } = await paid();
    double.hands.refund(payment, 300);
    await received(payment);
    const pauses: number[] = [];
    let pause = 60_000;
    for (let nth = 0; nth < 10; nth += 1) {
      double.failNext(['error_before_work'], READ);
      await lookUp(pause);
      const [note] = await noted(payment);
      pause = (note?.nextAt.getTime() ?? 0) - harness.clock.now().getTime() + 1_000;
      pauses.push(Math.round((pause + 10_000) / 60_000));
    }

    expect(pauses).toEqual([1, 2, 5, 15, 30, 60, 120, 240, 240, 240]);
    await lookUp(pause);
    expect((await moneyOf(id)).refundedAmount).toBe(300);
    expect(await noted(payment)).toEqual([]);
  });
});
