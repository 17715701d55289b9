import { describe, expect, it } from '@jest/globals';
import { enableSettlements, linesOf, settleAfter } from '../../settlements/settle-after.ts';
import { openShop } from '../kit/shop.ts';
import { startStripe } from './start.ts';

// A running service whose webhooks are lost, and a person in the Dashboard of Stripe. The balance alone tells.

const HOUR_MS = 3_600_000;

const { double, harness, money, service, ...shop } = await openShop((now) => startStripe({ now }));
await enableSettlements(harness, service.id);
await settleAfter(harness, 0);

/** Pays 12.99 at Stripe. */
const paid = (intent: 'AUTHORIZE' | 'CAPTURE') => shop.paid({ intent, country: 'US' });

/** Signs late webhooks again, as Stripe does on every attempt. */
const signedNow = (late: ReturnType<typeof double.webhooks>) =>
  late.map(({ body }) => double.sign(JSON.parse(body) as Parameters<typeof double.sign>[0]));

describe('an operation in the Dashboard whose webhooks are lost', () => {
  it('is a refund of the balance, booked and settled once', async () => {
    const { id, payment } = await paid('CAPTURE');
    const since = await harness.since();
    const refund = double.elsewhere.refund(payment, 400);
    const late = double.webhooks();

    await settleAfter(harness, HOUR_MS);

    expect(await money(id)).toMatchObject({
      refundedAmount: 400,
      refunds: [{ amount: 400, origin: 'PROVIDER', paymentServiceRefundId: refund }],
    });
    expect(await linesOf(harness, id)).toEqual([
      ['CHARGE', 1299, null],
      ['REFUND', -400, null],
    ]);
    expect((await since.eventNames()).filter((name) => name === 'refund.succeeded')).toHaveLength(1);
    await shop.deliver(signedNow(late), 60_000);
    expect(await money(id)).toMatchObject({ refundedAmount: 400, refunds: [{ amount: 400 }] });
  });

  it('is a capture of the balance, which the late webhook does not book again', async () => {
    const { id, payment } = await paid('AUTHORIZE');
    double.elsewhere.capture(payment, 900);
    const late = double.webhooks();

    await settleAfter(harness, HOUR_MS);

    const booked = { capturedAmount: 900, captures: [{ amount: 900, origin: 'PROVIDER' }] };
    expect(await money(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', ...booked });
    expect(await linesOf(harness, id)).toEqual([['CHARGE', 900, null]]);
    await shop.deliver(signedNow(late), 60_000);
    expect(await money(id)).toMatchObject(booked);
  });

  it('is a capture that the webhook told before, settled once', async () => {
    const { id, payment } = await paid('AUTHORIZE');
    double.elsewhere.capture(payment, 900);
    await shop.deliver(double.webhooks(), 60_000);

    await settleAfter(harness, HOUR_MS);

    expect(await money(id)).toMatchObject({ captures: [{ amount: 900, origin: 'PROVIDER' }] });
    expect(await linesOf(harness, id)).toEqual([['CHARGE', 900, null]]);
  });
});
