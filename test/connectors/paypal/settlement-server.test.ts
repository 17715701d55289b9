import { describe, expect, it } from '@jest/globals';
import { enableSettlements, linesOf, settleAfter } from '../../settlements/settle-after.ts';
import { openPayPalServer } from './server-harness.ts';

// A running service whose webhooks are lost, and a person in PayPal's pages. The movements on the balance alone tell.

/** A movement can be asked for after that time. */
const LATER_MS = 12 * 3_600_000;

const paypal = await openPayPalServer();
const running = { ...paypal, pass: (ms: number) => paypal.reconcile(ms) };
await enableSettlements(running, paypal.service.id);
await settleAfter(running, 0);

/** Creates a payment that the buyer approved, and loses its webhooks. */
async function paid(intent: 'AUTHORIZE' | 'CAPTURE') {
  const payment = await paypal.create({ intent });
  await paypal.decide(payment, 'approve');
  paypal.double.webhooks();
  return paypal.show(payment.id);
}

const money = async (id: string): Promise<unknown> =>
  (
    await paypal.ask<{ transaction: unknown }>(
      `query ($id: ID!) { transaction(id: $id) { capturedAmount refundedAmount
        captures { amount origin } refunds { amount origin paymentServiceRefundId } } }`,
      { id },
    )
  ).transaction;

describe("an operation in PayPal's pages whose webhooks are lost", () => {
  it('is a refund of the balance, booked and settled once', async () => {
    const payment = await paid('CAPTURE');
    const { id } = payment;
    const [sale] = paypal.bookOf(payment)?.captures ?? [];
    const refund = paypal.double.elsewhere.refund(sale?.id ?? '', 400);
    const late = paypal.double.webhooks();

    await settleAfter(running, LATER_MS);

    const booked = {
      refundedAmount: 400,
      refunds: [{ amount: 400, origin: 'PROVIDER', paymentServiceRefundId: refund }],
    };
    expect(await money(id)).toMatchObject(booked);
    expect(await linesOf(running, id)).toEqual([
      ['CHARGE', 1299, null],
      ['REFUND', -400, null],
    ]);
    await paypal.deliver(late);
    await paypal.applied();
    await paypal.reconcile(15_000);
    expect(await money(id)).toMatchObject(booked);
  });

  it('is a capture of the balance, beside one of ours of the same money', async () => {
    const payment = await paid('AUTHORIZE');
    const { id } = payment;
    const [authorization] = paypal.bookOf(payment)?.authorizations ?? [];
    await paypal.capture(id, { amount: 400, final: false });
    paypal.double.elsewhere.capture(authorization?.id ?? '', 400, false);
    paypal.double.webhooks();

    await settleAfter(running, LATER_MS);

    expect(await money(id)).toMatchObject({
      capturedAmount: 800,
      captures: expect.arrayContaining([
        { amount: 400, origin: 'REQUESTED' },
        { amount: 400, origin: 'PROVIDER' },
      ]),
    });
    expect(await linesOf(running, id)).toEqual([
      ['CHARGE', 400, null],
      ['CHARGE', 400, null],
    ]);
  });
});
