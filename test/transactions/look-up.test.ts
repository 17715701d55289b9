import { describe, expect, it } from '@jest/globals';
import { WEBHOOK_SECRET } from '../connectors/mollie/start.ts';
import { connect } from '../connectors/kit/service.ts';
import { applyAfter } from './inbox.ts';
import { openLookUpShop, PAGE } from './look-up-shop.ts';

// Mollie's webhooks only name a payment. Paygraph then asks Mollie, and believes nothing else.

const shop = await openLookUpShop();
const { double, harness, prisma, service, knock, calls, begun, paid, moneyOf, noted } = shop;

describe('the address for webhooks', () => {
  it('goes out with each payment, as the payment service shows the address', async () => {
    const { payment } = await begun();

    const there = double.payments().find(({ id }) => id === payment);
    expect(there?.webhookUrl).toBe(service.webhookUrl);
    expect(service.webhookUrl).toMatch(/^https:\/\/pay\.example\/webhooks\/\S+$/);
  });

  it('is the same on a repeat of a lost payment', async () => {
    const { length } = double.requests;
    double.failNext(['lose_answer'], /^POST \/v2\/payments$/);
    const { transaction } = await harness.create({
      ...{ amount: 1299, currency: 'EUR', intent: 'CAPTURE', paymentServiceId: service.id, ...PAGE },
    });
    // The lease of the first caller has ended.
    await harness.pass(60_000);
    await harness.sync(transaction?.id ?? '');

    const [first, ...repeats] = double.requests.slice(length).map(({ body }) => body);
    expect(repeats.length).toBeGreaterThan(0);
    expect(new Set(repeats)).toEqual(new Set([first]));
    expect(first).toContain(`"webhookUrl":"${service.webhookUrl}"`);
    expect((await harness.transaction(transaction?.id ?? ''))?.status).toBe('BUYER_APPROVAL_PENDING');
  });
});

describe('a webhook that only names a payment', () => {
  it('is answered with 200, and leads to a look-up that settles the payment', async () => {
    const { id, payment } = await begun();
    double.hands.decide(payment, 'approve');
    expect((await moneyOf(id)).status).toBe('BUYER_APPROVAL_PENDING');

    expect(await knock(payment)).toBe(200);

    expect(await moneyOf(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 });
    expect(await noted(payment)).toEqual([]);
  });

  it('believes nothing but the id', async () => {
    const { id, payment } = await begun();

    await knock(payment, { body: `id=${payment}&status=paid&amount=1299` });

    expect((await moneyOf(id)).status).toBe('BUYER_APPROVAL_PENDING');
  });

  it('finds a refund of a person, and the end of our own refund', async () => {
    const { id, payment } = await paid();
    await harness.refund(id, { amount: 99 });
    double.hands.refund(payment, 200);
    expect((await moneyOf(id)).refundedAmount).toBe(0);

    await knock(payment);

    expect(await moneyOf(id)).toMatchObject({ refundedAmount: 299 });
  });

  it.each(['failed', 'canceled'] as const)(
    'finds that our refund has %s, and lists no difference',
    async (end) => {
      const { id, payment } = await paid();
      await harness.refund(id, { amount: 99 });
      double.hands.endNext(end);
      double.hands.decideOpen();

      await knock(payment);
      await knock(payment);

      expect(await moneyOf(id)).toMatchObject({ refundedAmount: 0, refunds: [{ status: 'FAILED' }] });
      await applyAfter(harness, 2 * 3_600_000);
      expect(await prisma.difference.findMany({ where: { transactionId: id } })).toEqual([]);
      expect(await prisma.inboundWebhook.count({ where: { state: 'parked' } })).toBe(0);
    },
  );

  it('finds a refund that failed after its success', async () => {
    const { id, payment } = await paid();
    await harness.refund(id, { amount: 99 });
    double.hands.decideOpen();
    await knock(payment);
    expect((await moneyOf(id)).refundedAmount).toBe(99);
    const there = double.payments().find((each) => each.id === payment);

    double.hands.failRefund(there?.refunds[0]?.id ?? '');
    await knock(payment);

    expect((await moneyOf(id)).refundedAmount).toBe(0);
    expect((await harness.ledger()).slice(-2)).toEqual([
      { kind: 'refund', amount: 99 },
      { kind: 'refund_reversal', amount: 99 },
    ]);
  });

  it('finds a chargeback, and its reversal', async () => {
    const { id, payment } = await paid();
    const chargeback = double.hands.chargeBack(payment, 1299);
    await knock(payment);
    const disputes = () => prisma.dispute.findMany({ where: { transactionId: id } });
    expect(await disputes()).toMatchObject([
      { providerReference: chargeback, status: 'under_review', amount: 1299 },
    ]);

    await harness.pass(1_000);
    double.hands.reverseChargeback(chargeback);
    await knock(payment);

    expect(await disputes()).toMatchObject([{ providerReference: chargeback, status: 'won' }]);
  });

  it('finds a payment that Mollie took although it has failed here', async () => {
    const { id, payment } = await begun();
    double.hands.expire(payment);
    await knock(payment);
    expect((await moneyOf(id)).status).toBe('AUTHORIZATION_FAILED');
    const there = double.payments().find((each) => each.id === payment);
    Object.assign(there ?? {}, { status: 'paid', paidAt: new Date(), expiredAt: null });

    await harness.pass(60_000);
    await knock(payment);

    const kinds = await prisma.operation.findMany({ where: { transactionId: id }, select: { kind: true } });
    expect(kinds.map(({ kind }) => kind)).toContain('release');
  });

  it('takes a signed webhook with the secret of the service, and no other', async () => {
    const { id, payment } = await begun();
    double.hands.decide(payment, 'approve');
    const forged = double.signed(payment, 'another secret');
    expect(await knock(payment, { body: forged.body, headers: { ...forged.headers } })).toBe(401);
    expect((await moneyOf(id)).status).toBe('BUYER_APPROVAL_PENDING');

    const { body, headers } = double.signed(payment, WEBHOOK_SECRET);
    expect(await knock(payment, { body, headers: { ...headers } })).toBe(200);

    expect((await moneyOf(id)).status).toBe('CAPTURE_SUCCEEDED');
  });
});

describe('a webhook that names nothing of ours', () => {
  it.each([
    ['an unknown payment', 'id=tr_unknown', 200],
    ['a subscription', 'id=sub_12345', 200],
    ['a payment with another letter case', 'id=TR_1', 400],
    ['no id', 'status=paid', 400],
    ['nothing', '', 400],
  ])('leads to no call: %s', async (_, body, status) => {
    calls();

    expect(await knock('', { body })).toBe(status);

    expect(calls()).toEqual([]);
  });

  it("leads to no call at the address of another tenant's payment service", async () => {
    const { id, payment } = await begun();
    double.hands.decide(payment, 'approve');
    const { token } = await harness.server.createMerchantAccount();
    const ask = async <Data>(document: string, variables: Readonly<Record<string, unknown>> = {}) => {
      const { body } = await harness.server.graphql<Data>(document, variables, { token });
      if (!body.data) throw new Error(JSON.stringify(body.errors));
      return body.data;
    };
    const other = await connect({ ask }, 'mollie-card', shop.fields);
    calls();

    expect(await knock(payment, { to: other.webhookUrl })).toBe(200);

    expect(calls()).toEqual([]);
    expect((await moneyOf(id)).status).toBe('BUYER_APPROVAL_PENDING');
    expect(await noted(payment)).toEqual([]);
  });
});
