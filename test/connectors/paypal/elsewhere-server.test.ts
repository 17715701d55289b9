import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DoubleEvent } from '../double-server.ts';
import { openPayPalServer } from './server-harness.ts';

// A running service, and a person in the pages of PayPal.

const paypal = await openPayPalServer();
beforeEach(() => void paypal.double.webhooks());

/** Creates a payment that the buyer approved. PayPal owes no webhook afterwards. */
async function paid(intent: 'AUTHORIZE' | 'CAPTURE') {
  const payment = await paypal.create({ intent });
  await paypal.decide(payment, 'approve');
  paypal.double.webhooks();
  return paypal.show(payment.id);
}

type Event = Parameters<typeof paypal.double.certificate.sign>[0];

/** Signs an event again without some fields of its resource. */
function without({ body }: DoubleEvent, ...fields: readonly string[]): DoubleEvent {
  const event = JSON.parse(body) as Event & { readonly resource: Readonly<Record<string, unknown>> };
  const kept = Object.entries(event.resource).filter(([field]) => !fields.includes(field));
  return paypal.double.certificate.sign({ ...event, resource: Object.fromEntries(kept) });
}

/** Delivers webhooks, and applies what waits. */
async function deliver(webhooks: readonly DoubleEvent[]): Promise<void> {
  expect(new Set(await paypal.deliver(webhooks))).toEqual(new Set([200]));
  await paypal.applied();
  await paypal.reconcile(15_000);
}

const refunds = async (id: string): Promise<unknown> =>
  (
    await paypal.ask<{ transaction: unknown }>(
      `query ($id: ID!) { transaction(id: $id) { refundedAmount refundable { amount }
        refunds { amount origin paymentServiceRefundId } } }`,
      { id },
    )
  ).transaction;

describe("a refund in PayPal's pages", () => {
  /** Refunds 4.00 of a sale. Returns the id of the refund. */
  async function refunded() {
    const payment = await paid('CAPTURE');
    const [sale] = paypal.bookOf(payment)?.captures ?? [];
    return { payment, refund: paypal.double.elsewhere.refund(sale?.id ?? '', 400) };
  }

  it.each([
    ["with the sale's name", []],
    ['without a name', ['custom_id', 'invoice_id']],
    ['with the link to its capture alone', ['custom_id', 'invoice_id', 'supplementary_data']],
  ])('%s is booked once', async (_, fields) => {
    const { payment, refund } = await refunded();
    const webhooks = paypal.double.webhooks().map((event) => without(event, ...fields));

    await deliver(webhooks);
    await deliver(webhooks);

    expect(await refunds(payment.id)).toEqual({
      ...{ refundedAmount: 400, refundable: { amount: 899 } },
      refunds: [{ amount: 400, origin: 'PROVIDER', paymentServiceRefundId: refund }],
    });
  });

  it('beside one of ours without an answer is another one', async () => {
    const payment = await paid('CAPTURE');
    const [sale] = paypal.bookOf(payment)?.captures ?? [];
    paypal.double.failNext(['lose_answer'], /^POST .*\/refund/);
    await paypal.refund(payment.id, { amount: 400 });
    paypal.double.webhooks();
    paypal.double.elsewhere.refund(sale?.id ?? '', 400);

    await deliver(paypal.double.webhooks());
    await paypal.reconcile(120_000);

    expect(await refunds(payment.id)).toMatchObject({
      ...{ refundedAmount: 800, refundable: { amount: 499 } },
      refunds: expect.arrayContaining([
        expect.objectContaining({ origin: 'REQUESTED' }),
        expect.objectContaining({ origin: 'PROVIDER' }),
      ]),
    });
    expect(paypal.bookOf(payment)).toMatchObject({ refunded: 800 });
  });
});

describe("a capture in PayPal's pages", () => {
  it('without an invoice id captures the payment', async () => {
    const payment = await paid('AUTHORIZE');
    const [authorization] = paypal.bookOf(payment)?.authorizations ?? [];
    paypal.double.elsewhere.capture(authorization?.id ?? '', 1299);

    await deliver(paypal.double.webhooks().map((event) => without(event, 'invoice_id', 'custom_id')));

    expect(await paypal.show(payment.id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 },
    });
    const { prisma } = paypal.server.app.db;
    expect(
      await prisma.operation.findMany({ where: { transactionId: payment.id, kind: 'capture' } }),
    ).toMatchObject([{ origin: 'provider', providerKey: null, idempotencyKey: null }]);
  });
});

it("a void in PayPal's pages voids the payment", async () => {
  const payment = await paid('AUTHORIZE');
  const [authorization] = paypal.bookOf(payment)?.authorizations ?? [];
  paypal.double.elsewhere.void(authorization?.id ?? '');

  await deliver(paypal.double.webhooks());

  expect(await paypal.show(payment.id)).toMatchObject({ status: 'AUTHORIZATION_VOIDED' });
});
