import { beforeEach, describe, expect, it } from '@jest/globals';
import { sweepDue } from '../../../src/modules/transactions/index.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import { reconcileAfter } from '../../transactions/unresolved.ts';
import { openShop } from '../kit/shop.ts';
import { startStripe } from './start.ts';

// A running service, and a person in the Dashboard of Stripe.

const shop = await openShop((now) => startStripe({ now }), {
  fields: { multiple_captures: 'true' },
  settings: { PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '600' },
});
const { double, harness, money, prisma, service } = shop;
beforeEach(async () => {
  double.webhooks();
  await prisma.inboundWebhook.deleteMany({});
});

/** Pays 12.99 at Stripe. Returns our id of the payment, and Stripe's. */
async function paid(intent: 'AUTHORIZE' | 'CAPTURE') {
  const { status, ...payment } = await shop.paid({ intent, country: 'US' });
  expect(status).toMatch(/SUCCEEDED$/);
  return payment;
}

describe('a refund in the Dashboard', () => {
  it('is booked once by its webhooks, with an event for the merchant', async () => {
    const { id, payment } = await paid('CAPTURE');
    const since = await harness.since();
    const refund = double.elsewhere.refund(payment, 400);

    await shop.deliver();

    expect(await money(id)).toMatchObject({
      ...{ refundedAmount: 400, refundable: { amount: 899 } },
      refunds: [{ amount: 400, origin: 'PROVIDER', paymentServiceRefundId: refund }],
    });
    expect(await since.eventNames()).toEqual(['refund.succeeded']);
  });

  it('is found by the sweep when every webhook is lost, and booked once', async () => {
    const { id, payment } = await paid('CAPTURE');
    const refund = double.elsewhere.refund(payment, 400);
    const late = double.webhooks();

    await sweep();

    expect(await money(id)).toMatchObject({
      ...{ refundedAmount: 400, refundable: { amount: 899 } },
      refunds: [{ amount: 400, origin: 'PROVIDER', paymentServiceRefundId: refund }],
    });
    await double.postTo(service.webhookUrl, late);
    await applyAfter(harness, 60_000);
    expect(await money(id)).toMatchObject({ refundedAmount: 400 });
  });
});

/** Lets the payments reach the first age, and compares them. */
async function sweep(): Promise<void> {
  await sweepDue(harness.server.app);
  await harness.pass(16 * 60_000);
  expect(await sweepDue(harness.server.app)).toBe(true);
  await applyAfter(harness, 1_000);
}

describe('a capture in the Dashboard', () => {
  it('without a name of ours captures the payment', async () => {
    const { id, payment } = await paid('AUTHORIZE');
    double.elsewhere.forget(payment);
    double.elsewhere.capture(payment, 900);

    await shop.deliver();

    expect(await money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 900, capturable: { amount: 0 } },
      captures: [{ amount: 900, origin: 'PROVIDER' }],
    });
  });

  it('is found by the sweep when every webhook is lost', async () => {
    const { id, payment } = await paid('AUTHORIZE');
    double.elsewhere.capture(payment, 900);
    double.webhooks();

    await sweep();

    expect(await money(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 900 });
  });
});

describe('a capture in the Dashboard between two of ours, with every webhook lost', () => {
  it('leaves ours with their own money within seconds, and is found by the sweep', async () => {
    const { id, payment } = await paid('AUTHORIZE');
    await harness.capture(id, { amount: 300, final: false });
    double.elsewhere.capture(payment, 200, false);

    const { operation } = await harness.capture(id, { amount: 400 });
    expect(operation).toMatchObject({ status: 'PENDING', unknown: { cause: 'UNREADABLE' } });
    await reconcileAfter(harness, 3_000);

    const ours = [
      { amount: 300, origin: 'REQUESTED', status: 'SUCCEEDED' },
      { amount: 400, origin: 'REQUESTED', status: 'SUCCEEDED' },
    ];
    expect(await captures(id)).toEqual({ capturedAmount: 700, captures: expect.arrayContaining(ours) });
    double.webhooks();
    await sweep();
    expect(await captures(id)).toEqual({
      capturedAmount: 900,
      captures: expect.arrayContaining([...ours, { amount: 200, origin: 'PROVIDER', status: 'SUCCEEDED' }]),
    });
    expect(double.books().payments.at(-1)).toMatchObject({ id: payment, captured: 900 });
  });

  const captures = async (id: string): Promise<unknown> =>
    (
      await harness.ask<{ transaction: unknown }>(
        'query ($id: ID!) { transaction(id: $id) { capturedAmount captures { amount origin status } } }',
        { id },
      )
    ).transaction;
});

describe('a capture of a part in the Dashboard while our void is under way', () => {
  it('is booked, with the released rest, and the void has failed', async () => {
    const { id, payment } = await paid('AUTHORIZE');
    double.elsewhere.capture(payment, 500, false);
    double.webhooks();

    const { operation } = await harness.void(id);
    await shop.deliver();

    expect(operation).toMatchObject({ status: 'FAILED' });
    expect(await money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 500, capturable: { amount: 0 } },
      ...{ refundable: { amount: 500 }, captures: [{ amount: 500, origin: 'PROVIDER' }] },
    });
  });

  it('is found by the sweep, also after another capture of all the rest', async () => {
    const { id, payment } = await paid('AUTHORIZE');
    double.elsewhere.capture(payment, 500, false);
    await shop.deliver();
    double.elsewhere.capture(payment);
    double.webhooks();

    await harness.pass(2 * 3_600_000);
    await sweep();
    await harness.pass(2 * 3_600_000);
    await sweep();

    expect(await money(id)).toMatchObject({ capturedAmount: 1299, capturable: { amount: 0 } });
    expect(await prisma.difference.count({ where: { transactionId: id } })).toBe(0);
  });
});

it('a cancel in the Dashboard voids the payment', async () => {
  const { id, payment } = await paid('AUTHORIZE');
  double.elsewhere.cancel(payment);

  await shop.deliver();

  expect(await money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED', capturable: { amount: 0 } });
});

it('a thin event of Stripe is answered with 200, and changes nothing', async () => {
  const thin = {
    ...{ id: 'evt_test_65', object: 'v2.core.event', type: 'v1.billing.meter.no_meter_found' },
    ...{ livemode: false, created: '2026-01-01T00:00:00.000Z', related_object: null },
  };

  expect(await double.postTo(service.webhookUrl, [double.sign(thin)])).toEqual([200]);

  expect(await prisma.inboundWebhook.count()).toBe(0);
});
