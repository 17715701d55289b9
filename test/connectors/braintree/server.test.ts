import { describe, expect, it } from '@jest/globals';
import { applyAfter } from '../../transactions/inbox.ts';
import type { DoubleWebhook } from '../double-server.ts';
import { openShop } from '../kit/shop.ts';
import { startBraintree } from './start.ts';

// A running service, and people in the Control Panel of Braintree.

const shop = await openShop((now) => startBraintree({ now }), {
  settings: { PAYGRAPH_BOOKS_CALLS_PER_MINUTE: '0' },
});
const { double, harness, prisma, service } = shop;

/** Delivers webhooks, waits for the look-ups of the payments that they name, and applies what Braintree tells. */
async function deliver(webhooks: readonly DoubleWebhook[] = double.webhooks()): Promise<void> {
  await shop.deliver(webhooks);
  await harness.server.http.webhooksApplied();
  await applyAfter(harness, APPLIED_MS);
}

const APPLIED_MS = 12_000;

describe('the webhook of a settlement', () => {
  it('leads to the capture of a person', async () => {
    const { id, payment } = await shop.paid({ intent: 'AUTHORIZE' });
    double.hands.capture(payment, 500);
    double.hands.settleAll();

    await deliver();

    expect(await shop.money(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 500 },
      captures: [{ amount: 500, origin: 'PROVIDER' }],
    });
  });

  it('leads to the refund of a person, and books it once', async () => {
    const { id, payment } = await shop.paid({ intent: 'CAPTURE' });
    double.hands.settleAll();
    const webhooks = double.webhooks();
    const refund = double.hands.refund(payment, 400);

    await deliver(webhooks);
    await deliver(webhooks);

    expect(await shop.money(id)).toMatchObject({
      ...{ capturedAmount: 1299, refundedAmount: 400 },
      refunds: [{ amount: 400, origin: 'PROVIDER', paymentServiceRefundId: refund }],
    });
  });

  it('that was declined takes the capture back', async () => {
    const { id, payment } = await shop.paid({ intent: 'CAPTURE' });
    expect(await shop.money(id)).toMatchObject({ capturedAmount: 1299 });
    double.hands.declineSettlement(payment);

    await deliver();

    expect(await shop.money(id)).toMatchObject({ capturedAmount: 0 });
  });
});

describe('a webhook about one of several captures', () => {
  /** Captures the payment in two parts, and settles both. Returns the id of the second capture at Braintree. */
  async function capturedInParts() {
    const { id, payment } = await shop.paid({ intent: 'AUTHORIZE' });
    await harness.capture(id, { amount: 500, final: false });
    await harness.capture(id, { amount: 799 });
    const second = double.transactions().findLast(({ parent }) => parent?.id === payment);
    if (!second) throw new Error('The double has no second capture');
    return { id, payment, second };
  }

  /** The transaction that was read last. */
  const lastRead = (): unknown => {
    const sent = double.requests.findLast(({ path }) => path === '/graphql node');
    return JSON.parse(sent?.body ?? '{}');
  };

  it('leads to its dispute, by the books of the payment', async () => {
    const { id, payment, second } = await capturedInParts();
    double.hands.settleAll();
    double.webhooks();
    const dispute = double.hands.dispute(second.id, { minor: 799 });

    await deliver();

    expect(lastRead()).toMatchObject({ variables: { id: payment } });
    expect(
      await prisma.dispute.findMany({
        where: { transactionId: id },
        select: { providerReference: true, amount: true, operation: { select: { providerReference: true } } },
      }),
    ).toEqual([{ providerReference: dispute, amount: 799, operation: { providerReference: second.id } }]);
  });

  it('takes back a settlement that was declined', async () => {
    const { id, second } = await capturedInParts();
    double.webhooks();
    double.hands.declineSettlement(second.id);

    await deliver();

    expect(await shop.money(id)).toMatchObject({ capturedAmount: 500 });
  });

  it('takes back a refund that failed', async () => {
    const { id, second } = await capturedInParts();
    double.hands.settleAll();
    await harness.refund(id, { amount: 1299 });
    double.webhooks();
    expect(await shop.money(id)).toMatchObject({ refundedAmount: 1299 });
    double.hands.failRefund(second.refunds[0]?.id ?? '');

    await deliver();

    expect(await shop.money(id)).toMatchObject({ refundedAmount: 500 });
  });
});

it('a refund before the settlement is ours, and is booked once', async () => {
  const { id, payment } = await shop.paid({ intent: 'CAPTURE' });
  await harness.refund(id, { amount: 1299 });
  const legacyId = double.transactions().find((each) => each.id === payment)?.legacyId ?? '';

  await deliver([
    double.sign(`<notification><kind>transaction_reviewed</kind><subject>
    <transaction-review><transaction-id>${legacyId}</transaction-id></transaction-review></subject></notification>`),
  ]);

  expect(double.requests.at(-1)?.path).toBe('/graphql node');
  expect(await shop.money(id)).toMatchObject({
    ...{ refundedAmount: 1299, refunds: [{ amount: 1299, origin: 'REQUESTED', status: 'SUCCEEDED' }] },
  });
});

describe('the address of the webhooks', () => {
  const ask = async (query: string, url = service.webhookUrl) => {
    const answer = await fetch(`${url}${query}`);
    return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() };
  };

  it('is proved by a signature of the challenge', async () => {
    expect(await ask('?bt_challenge=20f9f8ed05f77439fe955c977e4c8a53')).toEqual({
      ...{ status: 200, type: 'text/plain; charset=utf-8' },
      text: expect.stringMatching(/^public_key_of_the_double\|[0-9a-f]{40}$/),
    });
  });

  it.each(['', '?bt_challenge=', '?bt_challenge=%3Cscript%3E', '?other=20f9f8ed05f77439fe955c977e4c8a53'])(
    'answers 404 to another GET: %s',
    async (query) => {
      expect((await ask(query)).status).toBe(404);
      expect(
        (await ask('?bt_challenge=20f9f8ed05f77439fe955c977e4c8a53', `${service.webhookUrl}x`)).status,
      ).toBe(404);
    },
  );
});
