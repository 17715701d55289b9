import { beforeEach, describe, expect, it } from '@jest/globals';
import { sweepDue } from '../../../src/modules/transactions/index.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import { openShop } from '../kit/shop.ts';
import { startCheckout } from './start.ts';

// A running service, and a person in the Dashboard of Checkout.com. Events have the reference of the payment alone.

const shop = await openShop(
  (now) => startCheckout({ now, eventNames: 'payment_reference', tellsApproval: false }),
  {
    settings: { PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '600' },
  },
);
const { double, harness, money, prisma, service } = shop;
beforeEach(async () => {
  double.webhooks();
  await prisma.inboundWebhook.deleteMany({});
});

/** Lets the payments reach the first age, and compares them. */
async function sweep(): Promise<void> {
  await sweepDue(harness.server.app);
  await harness.pass(16 * 60_000);
  expect(await sweepDue(harness.server.app)).toBe(true);
  await applyAfter(harness, 1_000);
}

/** Sells for 12.99. The capture of the sale is not decided. Returns our id of the payment, and that of Checkout.com. */
async function sell() {
  const { transaction } = await harness.create({
    ...{ amount: 1299, currency: 'EUR', country: 'US', intent: 'CAPTURE', paymentServiceId: service.id },
    paymentMethod: { card: { number: '4242424242424242', expirationDate: '03/30', securityCode: '100' } },
  });
  expect(transaction).toMatchObject({ status: 'CAPTURE_PENDING' });
  return { id: transaction?.id ?? '', payment: double.books().at(-1)?.id ?? '' };
}

/** Makes a sale whose capture is decided. */
async function sold() {
  const sale = await sell();
  await shop.deliver();
  expect(await money(sale.id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  return sale;
}

describe('a refund in the Dashboard', () => {
  const refunded = (refund: string) => ({
    ...{ refundedAmount: 400, refundable: { amount: 899 } },
    refunds: [{ amount: 400, origin: 'PROVIDER', paymentServiceRefundId: refund }],
  });

  it('is booked once by its webhook', async () => {
    const { id, payment } = await sold();
    const refund = double.elsewhere.refund(payment, 400);

    const owed = double.webhooks();
    await shop.deliver([...owed, ...owed]);

    expect(await money(id)).toMatchObject(refunded(refund));
  });

  it('is found by the sweep when its webhook is lost, and booked once', async () => {
    const { id, payment } = await sold();
    const refund = double.elsewhere.refund(payment, 400);
    const late = double.webhooks();

    await sweep();

    expect(await money(id)).toMatchObject(refunded(refund));
    await double.postTo(service.webhookUrl, late);
    await applyAfter(harness, 60_000);
    expect(await money(id)).toMatchObject(refunded(refund));
  });
});

describe('a capture in the Dashboard', () => {
  it('is booked beside one of ours', async () => {
    const { id, payment } = await shop.paid({ intent: 'AUTHORIZE', country: 'US' });
    await harness.capture(id, { amount: 300, final: false });
    double.elsewhere.capture(payment, 200);

    await shop.deliver();

    expect(await money(id)).toMatchObject({
      ...{ capturedAmount: 500, capturable: { amount: 0 } },
      captures: expect.arrayContaining([
        { amount: 300, origin: 'REQUESTED' },
        { amount: 200, origin: 'PROVIDER' },
      ]),
    });
  });

  it.each([
    ['the last one', true, 0],
    ['one that leaves the rest', false, 399],
  ])('is found by the sweep when its webhook is lost: %s', async (_, isFinal, left) => {
    const { id, payment } = await shop.paid({ intent: 'AUTHORIZE', country: 'US' });
    double.elsewhere.capture(payment, 900, isFinal);
    double.webhooks();

    await sweep();

    expect(await money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 900, capturable: { amount: left } },
    });
  });
});

it('a void in the Dashboard voids the payment', async () => {
  const { id, payment } = await shop.paid({ intent: 'AUTHORIZE', country: 'US' });
  double.elsewhere.void(payment);

  await shop.deliver();

  expect(await money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED', capturable: { amount: 0 } });
});

/** Delivers the owed webhooks, and waits for the look-ups to which they lead. */
async function deliverAndLook(): Promise<void> {
  await shop.deliver();
  await harness.server.http.webhooksApplied();
}

it('a sale whose capture is declined is declined, and nothing is held any more', async () => {
  double.hands.answerNext('Capture', '20005');
  const { id, payment } = await sell();
  await deliverAndLook();
  expect(await money(id)).toMatchObject({ status: 'CAPTURE_PENDING' });

  await deliverAndLook();

  expect(await money(id)).toMatchObject({ status: 'AUTHORIZATION_DECLINED', errorCode: 'issuer_decline' });
  expect(double.books().find((book) => book.id === payment)).toMatchObject({ held: 0, captured: 0 });
});

it('an authorisation that lapses is over, although its event has no code', async () => {
  const { id, payment } = await shop.paid({ intent: 'AUTHORIZE', country: 'US' });
  double.hands.expire(payment);

  await deliverAndLook();

  expect(await money(id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED', capturable: { amount: 0 } });
});
