import { beforeEach, describe, expect, it } from '@jest/globals';
import { setFailpoint } from '../../../src/platform/failpoint.ts';
import { applyAfter } from '../../transactions/inbox.ts';
import { reconcileAfter } from '../../transactions/unresolved.ts';
import { connect } from '../kit/service.ts';
import { openShop } from '../kit/shop.ts';
import { startAdyen } from './start.ts';

const AFTER_MS = 120_000;

const fields = { multiple_captures: 'true' };
const shop = await openShop((now) => startAdyen({ now, multipleCaptures: true }), { fields });
const { double, deliver, harness } = shop;
beforeEach(() => {
  double.behave();
  double.webhooks();
});

/** Authorises 12.99. */
async function authorised(paymentServiceId = shop.service.id) {
  const { id } = await shop.paid({ paymentServiceId });
  return { id, deliver, book: () => double.books().at(-1), show: () => harness.transaction(id) };
}

/** The request of a release. */
const RELEASE = /\/cancels$/;

const cancelsOf = () =>
  double
    .books()
    .at(-1)
    ?.modifications.filter(({ kind }) => kind === 'cancel') ?? [];
const CAPTURED = { status: 'CAPTURE_SUCCEEDED' };

describe('a final capture at Adyen that leaves a rest', () => {
  it('releases the rest, and books only the captures', async () => {
    const payment = await authorised();
    await harness.capture(payment.id, { amount: 500, final: false });
    await payment.deliver();
    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 0 });
    await harness.capture(payment.id, { amount: 300 });
    await payment.deliver();

    expect(payment.book()).toMatchObject({ authorised: 1299, captured: 800, cancelled: 499 });
    expect(await payment.show()).toMatchObject({ ...CAPTURED, capturedAmount: 800 });
    const names = await harness.eventNames();
    expect(names.filter((name) => /voided|expired/.test(name))).toEqual([]);
    expect(await harness.capture(payment.id, { amount: 100 })).toMatchObject({
      userErrors: [{ code: 'OPERATION_NOT_ALLOWED' }],
    });
  });

  it('releases the rest of a single capture, also with webhooks in the reverse order', async () => {
    const payment = await authorised();
    await harness.capture(payment.id, { amount: 500 });

    await payment.deliver(double.webhooks().toReversed());
    await applyAfter(harness, AFTER_MS);

    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 799 });
    expect(await payment.show()).toMatchObject({ ...CAPTURED, capturedAmount: 500 });
  });

  it.each([
    ['of the whole rest', fields, {}],
    ['without several captures', {}, { amount: 500 }],
  ])('sends no release after a capture %s', async (_, more, input) => {
    const { id } = await connect(harness, 'adyen-card', { ...shop.fields, ...more });
    const payment = await authorised(id);
    await harness.capture(payment.id, input);

    expect(cancelsOf()).toEqual([]);
  });

  it('keeps the rest for a capture that is not the last', async () => {
    const payment = await authorised();
    await harness.capture(payment.id, { amount: 500, final: false });
    await payment.deliver();

    expect(cancelsOf()).toEqual([]);
    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 0 });
  });

  it('is repeated under its own keys after the end of the process between both requests', async () => {
    const payment = await authorised();
    double.failNextOf(RELEASE, 'lose_request', 'lose_request');
    const restore = setFailpoint('capture.called', () => {
      throw new Error('The process ends');
    });
    await expect(harness.capture(payment.id, { amount: 500 })).rejects.toThrow();
    restore();
    expect(cancelsOf()).toEqual([]);

    await reconcileAfter(harness, AFTER_MS);
    await payment.deliver();

    expect(cancelsOf()).toHaveLength(1);
    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 799 });
    expect(await payment.show()).toMatchObject({ ...CAPTURED, capturedAmount: 500 });
  });

  it('releases once after a lost answer', async () => {
    const payment = await authorised();
    double.failNextOf(RELEASE, 'lose_answer');
    await harness.capture(payment.id, { amount: 500 });
    await payment.deliver();

    expect(cancelsOf()).toHaveLength(1);
    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 799 });
  });

  it('succeeds although nobody answered the release', async () => {
    const payment = await authorised();
    double.failNextOf(RELEASE, 'lose_request', 'lose_request');
    await harness.capture(payment.id, { amount: 500 });
    await payment.deliver();

    expect(payment.book()).toMatchObject({ captured: 500, cancelled: 0 });
    expect(await payment.show()).toMatchObject({ ...CAPTURED, capturedAmount: 500 });
  });

  it('keeps the event of a release that Adyen could not make', async () => {
    const payment = await authorised();
    double.decideNext('cancel', 'fails');
    await harness.capture(payment.id, { amount: 500 });
    await payment.deliver();

    expect(await payment.show()).toMatchObject({ ...CAPTURED, capturedAmount: 500 });
    const rows = await shop.prisma.historyEntry.findMany({
      where: { transactionId: payment.id },
    });
    expect(JSON.stringify(rows)).toContain('unknown_operation');
  });

  it('ends the payment where Adyen could not make the capture', async () => {
    const payment = await authorised();
    double.decideNext('capture', 'fails');
    await harness.capture(payment.id, { amount: 500 });
    await payment.deliver();
    await applyAfter(harness, AFTER_MS);

    expect(payment.book()).toMatchObject({ captured: 0, status: 'cancelled' });
    expect(await payment.show()).toMatchObject({ status: 'AUTHORIZATION_VOIDED', capturedAmount: 0 });
  });
});
