import { afterEach, describe, expect, it } from '@jest/globals';
import { expireApprovals } from '../../../src/modules/transactions/buyer-approval/store/approval.sql.ts';
import { ATTEMPTS_MAX } from './orders.ts';
import { openPayPalServer, type Shown } from './server-harness.ts';

const paypal = await openPayPalServer();
afterEach(() => paypal.double.behave());

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** The source of this amount is declined once. Another one then pays. */
const ONCE = 4401;
/** Every source of this amount is declined. */
const ALWAYS = 4402;
const WAITING = { status: 'BUYER_APPROVAL_PENDING', errorCode: null, capturedAmount: 0 };

/** Lets the buyer approve, which PayPal answers with a decline. */
async function declined(input: object): Promise<Shown> {
  const payment = await paypal.create(input);
  expect((await paypal.decide(payment, 'approve')).status).toBe(303);
  return paypal.show(payment.id);
}

/** Lists the kinds and statuses of a payment's operations. */
const operationsOf = ({ id }: Shown) =>
  paypal.server.app.db.prisma.operation.findMany({
    ...{ where: { transactionId: id }, orderBy: { id: 'asc' as const } },
    select: { kind: true, status: true },
  });

describe('a payment whose source PayPal declines', () => {
  it.each([
    ['AUTHORIZE', { status: 'AUTHORIZATION_SUCCEEDED', capturedAmount: 0 }, { held: ONCE, captured: 0 }],
    ['CAPTURE', { status: 'CAPTURE_SUCCEEDED', capturedAmount: ONCE }, { held: 0, captured: ONCE }],
  ])('with %s is paid by another source at the same address, once', async (intent, paid, booked) => {
    const first = await declined({ amount: ONCE, intent });
    expect(first).toMatchObject({ ...WAITING, approvalUrl: expect.stringContaining('/checkoutnow?token=') });
    expect(paypal.bookOf(first)).toMatchObject({ authorized: 0, captured: 0 });

    await paypal.decide(first, 'approve');

    const shown = await paypal.show(first.id);
    expect(shown).toMatchObject(paid);
    expect(paypal.bookOf(shown)).toMatchObject(booked);
    expect(await operationsOf(shown)).toEqual([{ kind: 'authorize', status: 'succeeded' }]);
  });

  it('is not paid before the buyer has chosen again', async () => {
    const first = await declined({ amount: ONCE, intent: 'CAPTURE' });

    await paypal.deliver();
    await paypal.reconcile(10 * MINUTE_MS);

    expect(await paypal.show(first.id)).toMatchObject(WAITING);
    expect(paypal.bookOf(first)).toMatchObject({ captured: 0 });
    await paypal.decide(first, 'approve');
    expect(await paypal.show(first.id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  });

  it('is paid by the webhook of the second approval, where the buyer does not come back', async () => {
    const first = await declined({ amount: ONCE });
    await paypal.deliver();
    await paypal.applied();
    await paypal.reconcile(MINUTE_MS);
    paypal.double.hands.decide(first.paymentServiceTransactionId ?? '', 'approve');

    await paypal.deliver();
    await paypal.applied();
    await paypal.reconcile(MINUTE_MS);

    expect(await paypal.show(first.id)).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(paypal.bookOf(first)).toMatchObject({ held: ONCE });
  });

  it.each(['lose_answer', 'lose_request', 'error_after_work'] as const)(
    'waits after a lost answer (%s), and is then paid once',
    async (fault) => {
      const payment = await paypal.create({ amount: ONCE, intent: 'CAPTURE' });
      paypal.double.failNext([fault], 'POST /v2/checkout/orders/');
      await paypal.decide(payment, 'approve');
      await paypal.reconcile(2 * MINUTE_MS);
      expect(await paypal.show(payment.id)).toMatchObject(WAITING);

      paypal.double.failNext([fault], 'POST /v2/checkout/orders/');
      await paypal.decide(payment, 'approve');
      await paypal.reconcile(2 * MINUTE_MS);

      expect(await paypal.show(payment.id)).toMatchObject({ capturedAmount: ONCE });
      expect(paypal.bookOf(payment)).toMatchObject({ captured: ONCE, captures: [{ amount: ONCE }] });
    },
  );

  it('fails with the end of its time, and nothing can pay it then', async () => {
    const first = await declined({ amount: ONCE });

    await paypal.reconcile(HOUR_MS + MINUTE_MS);
    await expireApprovals(paypal.server.app.db, paypal.now());
    await paypal.reconcile(MINUTE_MS);

    expect(await paypal.show(first.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_FAILED', errorCode: 'incomplete_buyer_approval' },
    });
    await paypal.decide(first, 'approve');
    await paypal.reconcile(MINUTE_MS);
    expect(paypal.bookOf(first)).toMatchObject({ authorized: 0, captured: 0 });
  });

  it('fails when the buyer then cancels', async () => {
    const first = await declined({ amount: ONCE });

    await paypal.decide(first, 'cancel');

    expect(await paypal.show(first.id)).toMatchObject({ errorCode: 'cancelled_buyer_approval' });
  });

  it('is declined after as many sources as PayPal allows', async () => {
    const payment = await declined({ amount: ALWAYS });
    for (let times = 1; times < ATTEMPTS_MAX; times += 1) {
      await paypal.decide(payment, 'approve');
      expect(await paypal.show(payment.id)).toMatchObject(WAITING);
    }

    await paypal.decide(payment, 'approve');

    expect(await paypal.show(payment.id)).toMatchObject({
      ...{ status: 'AUTHORIZATION_DECLINED', errorCode: 'issuer_decline' },
    });
    expect(paypal.bookOf(payment)).toMatchObject({ authorized: 0, captured: 0 });
  });
});

describe('a session whose source PayPal declines', () => {
  it('is completed after the buyer has chosen again in the client', async () => {
    const payment = await paypal.create({ integrationClient: 'WEB', amount: ONCE, intent: 'CAPTURE' });
    const { payload } = await paypal.ask<{
      payload: { session: { sessionData: { orderId: string }; defaultCompletionUrl: string } };
    }>(
      `mutation ($id: ID!, $token: String!) { payload: createTransactionSession(id: $id, token: $token) {
        session { sessionData { orderId } defaultCompletionUrl } userErrors { message } } }`,
      { id: payment.id, token: payment.sessionToken },
    );
    const { sessionData, defaultCompletionUrl } = payload.session;
    const complete = () => fetch(defaultCompletionUrl, { redirect: 'manual' });

    paypal.double.hands.decide(sessionData.orderId, 'approve');
    expect((await complete()).status).toBe(303);
    expect(await paypal.show(payment.id)).toMatchObject(WAITING);
    paypal.double.hands.decide(sessionData.orderId, 'approve');
    await complete();

    const shown = await paypal.show(payment.id);
    expect(shown).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: ONCE });
    expect(paypal.bookOf(shown)).toMatchObject({ captured: ONCE, captures: [{ amount: ONCE }] });
  });
});
