import { afterEach, describe, expect, it } from '@jest/globals';
import { expireApprovals } from '../../../src/modules/transactions/buyer-approval/store/approval.sql.ts';
import { SHOP, openPayPalServer } from './server-harness.ts';

const paypal = await openPayPalServer();
afterEach(() => paypal.double.behave());

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Creates a payment that the buyer approved. */
async function paid(input: object = {}) {
  const payment = await paypal.create(input);
  expect(payment.status).toBe('BUYER_APPROVAL_PENDING');
  await paypal.decide(payment, 'approve');
  return paypal.show(payment.id);
}

describe('a payment at PayPal', () => {
  it('is authorised after the return, captured in parts, refunded over both, and voided no more', async () => {
    const payment = await paypal.create();
    const back = await paypal.decide(payment, 'approve');
    expect([back.status, back.location?.startsWith(SHOP)]).toEqual([303, true]);
    expect(await paypal.show(payment.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    await paypal.capture(payment.id, { amount: 500, final: false });
    await paypal.capture(payment.id, { amount: 600, final: true });
    expect(await paypal.refund(payment.id, { amount: 1000 })).toMatchObject({
      ...{ capturedAmount: 1100, refundedAmount: 1000 },
    });
    expect(paypal.bookOf(await paypal.show(payment.id))).toMatchObject({
      ...{ authorized: 1299, captured: 1100, refunded: 1000, held: 0 },
    });
  });

  it('with an order is captured in parts, without lines', async () => {
    const cartItems = [{ name: 'Socks', quantity: 2, unitAmount: 500 }];
    const payment = await paid({ cartItems, taxAmount: 190, shippingAmount: 109 });
    const before = paypal.double.requests.length;
    await paypal.capture(payment.id, { amount: 500, final: false });
    expect(await paypal.capture(payment.id, { amount: 600 })).toMatchObject({ capturedAmount: 1100 });

    const bodies = paypal.double.requests
      .slice(before)
      .filter(({ path }) => path.endsWith('/capture'))
      .map(({ body }) => JSON.parse(body) as object);
    expect(bodies.map((body) => 'amount' in body && body.amount)).toMatchObject([
      { value: '5.00' },
      { value: '6.00' },
    ]);
    expect(JSON.stringify(bodies)).not.toMatch(/Socks|items|breakdown/);
  });

  it('is a sale, and refunded', async () => {
    const payment = await paid({ intent: 'CAPTURE' });
    expect(payment.status).toBe('CAPTURE_SUCCEEDED');
    expect(await paypal.refund(payment.id)).toMatchObject({ refundedAmount: 1299 });
    expect(paypal.bookOf(payment)).toMatchObject({ captured: 1299, refunded: 1299 });
  });

  it('is renewed on the fourth day, although the answer was lost, and then captured', async () => {
    const payment = await paid();
    await paypal.reconcile(4 * DAY_MS);
    paypal.double.failNext(['lose_answer'], /^POST .*\/reauthorize/);
    await paypal.reauthorize(payment.id);
    await paypal.reconcile(2 * MINUTE_MS);
    expect(await paypal.capture(payment.id)).toMatchObject({ capturedAmount: 1299 });
    expect(paypal.bookOf(payment)).toMatchObject({ captured: 1299, held: 0 });
    const { prisma } = paypal.server.app.db;
    expect(
      await prisma.operation.findMany({
        where: { transactionId: payment.id },
        orderBy: { id: 'asc' },
        select: { kind: true, status: true },
      }),
    ).toEqual([
      { kind: 'authorize', status: 'succeeded' },
      { kind: 'reauthorize', status: 'succeeded' },
      { kind: 'capture', status: 'succeeded' },
    ]);
  });

  it('is voided', async () => {
    const payment = await paid();
    expect(await paypal.void(payment.id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
    expect(paypal.bookOf(payment)).toMatchObject({ held: 0, captured: 0 });
  });

  it('fails when the buyer cancels, and when the merchant cancels', async () => {
    const refused = await paypal.create();
    await paypal.decide(refused, 'cancel');
    expect(await paypal.show(refused.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'cancelled_buyer_approval' },
    });
    const cancelled = await paypal.create();
    await paypal.cancel(cancelled.id);
    const { status, errorCode } = await paypal.show(cancelled.id);
    expect([status, errorCode]).toEqual(['AUTHORIZATION_FAILED', 'canceled']);
    await paypal.decide(cancelled, 'approve');
    expect(paypal.bookOf(cancelled)).toMatchObject({ authorized: 0, captured: 0 });
  });
});

describe('a lost answer of PayPal', () => {
  it.each(['lose_answer', 'lose_request', 'error_after_work'] as const)(
    'to the completion, the capture and the refund (%s) is found, and nothing happens twice',
    async (fault) => {
      const payment = await paypal.create();
      paypal.double.failNext([fault], 'POST /v2/checkout/orders/');
      await paypal.decide(payment, 'approve');
      await paypal.reconcile(2 * MINUTE_MS);
      expect(await paypal.show(payment.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });

      paypal.double.failNext([fault], /^POST .*\/capture/);
      await paypal.capture(payment.id, { amount: 1000 });
      await paypal.reconcile(2 * MINUTE_MS);
      paypal.double.failNext([fault], /^POST .*\/refund/);
      await paypal.refund(payment.id, { amount: 400 });
      await paypal.reconcile(2 * MINUTE_MS);
      const shown = await paypal.show(payment.id);
      expect(shown).toMatchObject({ capturedAmount: 1000, refundedAmount: 400 });
      expect(paypal.bookOf(shown)).toMatchObject({
        ...{ authorized: 1299, captured: 1000, refunded: 400 },
        ...{ captures: [{ amount: 1000 }], refunds: [{ amount: 400 }] },
      });
    },
  );
});

describe('a cancel during a completion that PayPal gets late', () => {
  const COMPLETION = /^POST .*\/(authorize|capture)$/;
  /** Lets the buyer come back without an approval, while the network holds the completion. Returns the payment and the request. */
  const comeBackEarly = async (input: object = {}) => {
    const payment = await paypal.create(input);
    const back = new URL(
      paypal.double.hands.decide(payment.paymentServiceTransactionId ?? '', 'cancel') ?? '',
    );
    back.searchParams.delete('cancelled');
    paypal.double.failNext(['lose_request'], COMPLETION);
    await fetch(back, { redirect: 'manual' });
    const late = paypal.double.requests.find(
      ({ path, fault }) =>
        fault === 'lose_request' && path.includes(`${payment.paymentServiceTransactionId}/`),
    );
    if (!late) throw new Error('No completion was sent');
    return { payment, late };
  };
  const approveAt = ({
    paymentServiceTransactionId: order,
  }: {
    paymentServiceTransactionId: string | null;
  }) => paypal.double.hands.decide(order ?? '', 'approve');
  const waiting = { status: 'BUYER_APPROVAL_PENDING' };
  /** The second one, when the success of the authorisation is learned before that of the cancel. */
  const ENDED = ['AUTHORIZATION_FAILED', 'AUTHORIZATION_VOIDED'];
  const canceled = { status: 'AUTHORIZATION_FAILED', errorCode: 'canceled' };

  it('leaves no money held, although the buyer approves after the cancel', async () => {
    const { payment, late } = await comeBackEarly();
    expect(await paypal.cancel(payment.id)).toMatchObject(waiting);
    approveAt(payment);
    expect((await paypal.double.handle(late))?.status).toBe(201);
    expect(paypal.bookOf(payment)).toMatchObject({ held: 1299 });
    await paypal.reconcile(MINUTE_MS);
    expect(ENDED).toContain((await paypal.show(payment.id)).status);
    expect(paypal.bookOf(payment)).toMatchObject({ held: 0, captured: 0 });
  });

  it('is pending after a repeat of the completion, whose answer says nothing about the first one', async () => {
    const { payment, late } = await comeBackEarly();
    await paypal.reconcile(MINUTE_MS);
    expect(await paypal.cancel(payment.id)).toMatchObject(waiting);
    approveAt(payment);
    expect((await paypal.double.handle(late))?.status).toBe(201);
    await paypal.reconcile(MINUTE_MS);
    expect(ENDED).toContain((await paypal.show(payment.id)).status);
    expect(paypal.bookOf(payment)).toMatchObject({ held: 0, captured: 0 });
  });

  it('shows a sale that the buyer has paid', async () => {
    const { payment, late } = await comeBackEarly({ intent: 'CAPTURE' });
    expect(await paypal.cancel(payment.id)).toMatchObject(waiting);
    approveAt(payment);
    await paypal.double.handle(late);
    await paypal.reconcile(MINUTE_MS);
    await paypal.reconcile(MINUTE_MS);
    expect(await paypal.show(payment.id)).toMatchObject({
      status: 'CAPTURE_SUCCEEDED',
      capturedAmount: 1299,
    });
    expect(paypal.bookOf(payment)).toMatchObject({ captured: 1299, refunded: 0 });
  });

  it('ends after the order when the buyer never approves', async () => {
    const { payment } = await comeBackEarly({ intent: 'CAPTURE' });
    expect(await paypal.cancel(payment.id)).toMatchObject(waiting);
    await paypal.reconcile(3 * 60 * MINUTE_MS);
    expect(await paypal.show(payment.id)).toMatchObject(waiting);
    await paypal.reconcile(60 * MINUTE_MS);
    expect(await paypal.show(payment.id)).toMatchObject(canceled);
  });

  it('needs no wait after the completion was answered', async () => {
    const payment = await paypal.create();
    const back = paypal.double.hands.decide(payment.paymentServiceTransactionId ?? '', 'cancel') ?? '';
    await fetch(back.replace('cancelled=true', ''), { redirect: 'manual' });
    expect(await paypal.cancel(payment.id)).toMatchObject(canceled);
  });

  it('keeps an unpaid order from failing while the completion may still pay', async () => {
    const { payment, late } = await comeBackEarly();
    await paypal.reconcile(MINUTE_MS);
    await paypal.server.app.db.prisma.approval.updateMany({
      where: { token: { not: '' }, operation: { transactionId: payment.id } },
      data: { expiresAt: new Date(0) },
    });
    await expireApprovals(paypal.server.app.db, paypal.now());
    await paypal.reconcile(MINUTE_MS);
    expect(await paypal.show(payment.id)).toMatchObject(waiting);
    approveAt(payment);
    await paypal.double.handle(late);
    await paypal.reconcile(MINUTE_MS);
    expect(await paypal.show(payment.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(paypal.bookOf(payment)).toMatchObject({ held: 1299 });
  });
});

describe('a session at PayPal', () => {
  type Session = {
    readonly sessionData: { readonly orderId: string; readonly approvalUrl: string | null };
    readonly defaultCompletionUrl: string;
  };
  const open = async (input: object = {}) => {
    const payment = await paypal.create({ integrationClient: 'WEB', ...input });
    const { payload } = await paypal.ask<{ payload: { session: Session } }>(
      `mutation ($id: ID!, $token: String!) { payload: createTransactionSession(id: $id, token: $token) {
        session { sessionData { orderId clientId intent fundingSource approvalUrl } defaultCompletionUrl } userErrors { message } } }`,
      { id: payment.id, token: payment.sessionToken },
    );
    return { id: payment.id, ...payload.session };
  };
  const complete = (url: string) => fetch(url, { redirect: 'manual' });

  it('is completed after the approval in PayPal’s software, and waits before it', async () => {
    const { id, sessionData, defaultCompletionUrl } = await open({ intent: 'CAPTURE' });
    expect(sessionData).toMatchObject({
      ...{ clientId: paypal.double.clientId, intent: 'CAPTURE', fundingSource: 'paypal', approvalUrl: null },
    });
    expect((await complete(defaultCompletionUrl)).status).toBe(303);
    expect(await paypal.show(id)).toMatchObject({ status: 'BUYER_APPROVAL_PENDING', capturedAmount: 0 });
    paypal.double.hands.decide(sessionData.orderId, 'approve');
    expect((await complete(defaultCompletionUrl)).status).toBe(303);
    const shown = await paypal.show(id);
    expect(shown).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
    expect(paypal.bookOf(shown)).toMatchObject({ captured: 1299 });
  });

  it('is completed once, although the answer was lost', async () => {
    const { id, sessionData, defaultCompletionUrl } = await open();
    paypal.double.hands.decide(sessionData.orderId, 'approve');
    paypal.double.failNext(['lose_answer'], 'POST /v2/checkout/orders/');
    await complete(defaultCompletionUrl);
    await paypal.reconcile(2 * MINUTE_MS);
    expect(await paypal.show(id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
  });
});

describe('a method that PayPal stored', () => {
  it('pays again without the buyer', async () => {
    const first = await paid({ store: true, paymentSource: 'RECURRING' });
    const { paymentMethodId } = await paypal.server.app.db.prisma.transaction.findFirstOrThrow({
      where: { id: first.id },
    });
    const again = await paypal.create({
      ...{ paymentMethod: { stored: { id: paymentMethodId } }, merchantInitiated: true, intent: 'CAPTURE' },
      ...{ paymentSource: 'RECURRING', isSubsequentPayment: true },
    });
    expect(again).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
    expect(paypal.bookOf(again)).toMatchObject({ captured: 1299 });
  });
});
