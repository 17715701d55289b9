import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { untilFound } from '../../support/until.ts';
import { postWebhooks } from '../double-server.ts';
import { openForterShop, type ForterShop } from './shop.ts';

let shop: ForterShop;
beforeAll(async () => {
  shop = await openForterShop();
});
afterAll(() => shop.close());

const ADDRESS = {
  line1: 'Main St',
  houseNumberOrName: '1',
  city: 'Reno',
  postalCode: '89501',
  country: 'US',
};

const detailsOf = (emailAddress: string) => ({
  firstName: 'Jane',
  lastName: 'Doe',
  emailAddress,
  address: ADDRESS,
});

/** Pays with a buyer at this address. Returns the payment, and the order at Forter. */
async function pay(emailAddress: string, input: Readonly<Record<string, unknown>> = {}) {
  const buyer = { billingDetails: detailsOf(emailAddress) };
  const { transaction, userErrors } = await shop.harness.create({
    ...{ amount: 1299, intent: 'CAPTURE' },
    ...('buyerId' in input ? {} : { buyer }),
    ...input,
  });
  if (!transaction) throw new Error(JSON.stringify(userErrors));
  const orders = shop.double.sent(transaction.id);
  expect(orders).toHaveLength(1);
  return { id: transaction.id, status: transaction.status, order: orders[0] };
}

describe('a payment with Forter', () => {
  it('brings what the merchant told about the payment', async () => {
    const { order, id } = await pay('approve@forter.com', {
      ...{ ipAddress: '203.0.113.7', antiFraudFingerprint: 'token of the page', integrationClient: 'WEB' },
      browserInfo: {
        ...{ userAgent: 'Browser/1', userDevice: 'DESKTOP', language: 'en-US', javascriptEnabled: false },
        ...{ acceptHeader: 'text/html', javaEnabled: false },
      },
      shippingDetails: { firstName: 'Joe', lastName: 'Doe', address: ADDRESS },
      cartItems: [{ name: 'Socks', quantity: 1, unitAmount: 1299, sku: 'S-1', productType: 'PHYSICAL' }],
      connectionOptions: { 'forter-anti-fraud': { delivery_method: 'by bicycle' } },
    });

    expect(order).toMatchObject({
      connectionInformation: {
        ...{ customerIP: '203.0.113.7', userAgent: 'Browser/1', forterTokenCookie: 'token of the page' },
      },
      cartItems: [{ basicItemData: { name: 'Socks', productId: 'S-1', type: 'TANGIBLE' } }],
      primaryDeliveryDetails: { deliveryType: 'PHYSICAL', deliveryMethod: 'by bicycle' },
      primaryRecipient: { personalDetails: { firstName: 'Joe' }, address: { address1: '1 Main St' } },
      accountOwner: { email: 'approve@forter.com' },
      payment: [
        {
          billingDetails: { address: { city: 'Reno' } },
          creditCard: { bin: '41111111', lastFourDigits: '1111', cardBrand: 'VISA' },
        },
      ],
    });
    const { createdAt } = await shop.harness.server.app.db.prisma.transaction.findFirstOrThrow({
      where: { id },
    });
    expect(order?.checkoutTime).toBe(Math.floor(createdAt.getTime() / 1_000));
    expect(JSON.stringify(order)).not.toContain('4111111111111111');
  });

  it('tells the age of a stored buyer, and that a guest has no account', async () => {
    const { payload } = await shop.harness.ask<{ payload: { buyer: { id: string; createdAt: string } } }>(
      `mutation ($input: CreateBuyerInput!) { payload: createBuyer(input: $input) {
        buyer { id createdAt } userErrors { message } } }`,
      { input: { billingDetails: detailsOf('approve@forter.com') } },
    );
    const { id, createdAt } = payload.buyer;

    const [stored, guest] = [await pay('', { buyerId: id }), await pay('approve@forter.com')];

    expect(stored.order?.accountOwner).toMatchObject({
      ...{ accountId: id, created: Math.floor(Date.parse(createdAt) / 1_000) },
    });
    expect(guest.order?.accountOwner).toEqual({
      ...{ firstName: 'Jane', lastName: 'Doe', email: 'approve@forter.com' },
    });
  });

  it.each([
    ['approve', 'CAPTURE_SUCCEEDED', 'ACCEPT'],
    ['decline', 'AUTHORIZATION_DECLINED', 'REJECT'],
    ['pending', 'AUTHORIZATION_SUCCEEDED', 'REVIEW'],
    ['notreviewed', 'CAPTURE_SUCCEEDED', 'SKIPPED'],
    ['failed', 'CAPTURE_SUCCEEDED', 'ERROR'],
  ])('that Forter answers with %s is %s', async (name, status, antiFraudDecision) => {
    const payment = await pay(`${name}@forter.com`);

    expect(payment.status).toBe(status);
    expect(await shown(payment.id)).toMatchObject({ antiFraudDecision, pendingReview: name === 'pending' });
  });
});

describe('a later decision', () => {
  let id: string;
  beforeEach(async () => {
    ({ id } = await pay('pending@forter.com'));
  });

  it('captures the payment that waited for it, and a contradiction changes nothing', async () => {
    expect(await tell({ orderId: id, action: 'approve', reasonCode: 'Called' })).toEqual([200]);
    const captured = await reached('CAPTURE_SUCCEEDED');
    expect(await tell({ orderId: id, action: 'decline' })).toEqual([200]);
    await untilFound(async () => {
      const { steps } = await shown(id);
      return steps.find(({ name, context }) => name === 'anti-fraud-webhook' && context['finding']) ?? null;
    });

    expect(captured).toMatchObject({ reviewOutcome: 'ACCEPTED' });
    expect(await shown(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED', reviewOutcome: 'ACCEPTED' });
  });

  it('voids the payment that it declines, and a replay is no other event', async () => {
    const callback = shop.double.callback({ orderId: id, action: 'decline' });
    expect(await postWebhooks(shop.service.webhookUrl, [callback, callback])).toEqual([200, 200]);

    expect(await reached('AUTHORIZATION_VOIDED')).toMatchObject({ reviewOutcome: 'REJECTED' });
    const stored = await shop.harness.server.app.db.prisma.inboundReview.count({ where: { checkKey: id } });
    expect(stored).toBe(1);
  });

  it('with another signature is refused, and the payment stays held', async () => {
    const { headers, body } = shop.double.callback({ orderId: id, action: 'approve' });
    const forged = { headers: { ...headers, 'x-forter-signature': '0'.repeat(64) }, body };

    expect(await postWebhooks(shop.service.webhookUrl, [forged])).toEqual([401]);
    expect(await shown(id)).toMatchObject({ pendingReview: true, capturedAmount: 0 });
  });

  const tell = (body: object) => postWebhooks(shop.service.webhookUrl, [shop.double.callback(body)]);

  const reached = (status: string) =>
    untilFound(async () => {
      const payment = await shown(id);
      return payment.status === status ? payment : null;
    });
});

type Shown = {
  readonly status: string;
  readonly steps: readonly { readonly name: string; readonly context: Readonly<Record<string, unknown>> }[];
  readonly [field: string]: unknown;
};

async function shown(id: string): Promise<Shown> {
  const { transaction } = await shop.harness.ask<{
    transaction: Shown & { readonly events: { readonly nodes: Shown['steps'] } };
  }>(
    `query ($id: ID!) { transaction(id: $id) { status antiFraudDecision pendingReview reviewOutcome capturedAmount
      events { nodes { name context } } } }`,
    { id },
  );
  return { ...transaction, steps: transaction.events.nodes };
}
