import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../../src/modules/transactions/index.ts';
import { reconcileAfter } from '../../transactions/unresolved.ts';
import { startThreeProviders } from '../kit/three-providers.ts';

let world: Awaited<ReturnType<typeof startThreeProviders>>;
beforeAll(async () => {
  world = await startThreeProviders();
});
afterAll(() => world.stop());

/** A cart whose sum, with its shipping costs, is the amount of the payment. */
const ORDER = {
  cartItems: [{ name: 'Socks', quantity: 2, unitAmount: 500, sku: 'S-1', productType: 'PHYSICAL' }],
  ...{ shippingAmount: 109, taxAmount: 190, purchaseOrderNumber: 'PO 7' },
};

/** Returns the parameters of the last request to a path of Stripe. */
const sentToStripe = (end: string) =>
  Object.fromEntries(
    new URLSearchParams(world.stripe.requests.filter(({ path }) => path.endsWith(end)).at(-1)?.body),
  );

/** Returns the last payment that Adyen got. */
const sentToAdyen = () =>
  readJson(world.sentToAdyen.filter(({ path }) => path.endsWith('/payments')).at(-1)?.body);

/** Returns the last order that PayPal got. */
const sentToPayPal = () =>
  readJson(world.paypal.double.requests.filter(({ path }) => path === '/v2/checkout/orders').at(-1)?.body);

const readJson = (body = ''): object => JSON.parse(body) as object;

describe('an order at Stripe', () => {
  const details = {
    'amount_details[enforce_arithmetic_validation]': 'false',
    'amount_details[line_items][0][product_name]': 'Socks',
    'amount_details[line_items][0][unit_cost]': '500',
    'amount_details[tax][total_tax_amount]': '190',
    'amount_details[shipping][amount]': '109',
    'payment_details[order_reference]': 'PO 7',
  };

  it('goes along with a payment that captures at once', async () => {
    const paid = await world.pay('stripe', { ...ORDER, intent: 'CAPTURE' });
    expect(paid).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
    expect(sentToStripe('/payment_intents')).toMatchObject(details);
  });

  it('goes along with a later capture of the whole amount', async () => {
    const { id = '' } = (await world.pay('stripe', ORDER)) ?? {};
    expect(Object.keys(sentToStripe('/payment_intents'))).not.toContain('payment_details[order_reference]');
    const { transaction } = await world.harness.capture(id);
    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
    expect(sentToStripe('/capture')).toMatchObject({ amount_to_capture: '1299', ...details });
  });

  it('is the same on a repeat of the capture, although the merchant renames the payment in between', async () => {
    const order = { ...ORDER, purchaseOrderNumber: null, externalIdentifier: 'old' };
    const { id = '' } = (await world.pay('stripe', order)) ?? {};
    const captures = () => world.stripe.requests.filter(({ path }) => path.endsWith('/capture'));
    const before = captures().length;
    world.stripe.failNext(['lose_answer'], /capture$/);
    await world.harness.capture(id);
    await world.harness.ask(
      `mutation ($id: ID!) { updateTransaction(id: $id, input: { externalIdentifier: "new" }) { transaction { id } } }`,
      { id },
    );
    await world.harness.pass(60_000);
    await reconcileDue(world.harness.server.app);

    const [first, again, ...more] = captures().slice(before);
    expect([again?.body, more]).toEqual([first?.body, []]);
    const reference = { 'payment_details[order_reference]': 'old' };
    expect(sentToStripe('/capture')).toMatchObject({ ...details, ...reference });
    expect(await world.harness.transaction(id)).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
  });

  it('stays away from a capture of a part, which Stripe would refuse', async () => {
    const { id = '' } = (await world.pay('stripe', ORDER)) ?? {};
    const { transaction } = await world.harness.capture(id, { amount: 500 });
    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 500 });
    expect(Object.keys(sentToStripe('/capture')).join()).not.toContain('details');
  });

  it.each([
    ['the whole increased amount', {}, 1399],
    ['its own amount', { amount: 1299 }, 1299],
    ['its own amount, while more can follow', { amount: 1299, final: false }, 1299],
  ])('stays away after an increase, from a capture of %s', async (_, input, capturedAmount) => {
    const { id = '' } = (await world.pay('stripe', ORDER)) ?? {};
    await world.harness.increase(id, { amount: 100 });
    const { transaction } = await world.harness.capture(id, input);
    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount });
    expect(Object.keys(sentToStripe('/capture')).join()).not.toContain('details');
  });

  it('stays away from a later capture, to which an increase left the amount', async () => {
    const { id = '' } = (await world.pay('stripe', ORDER)) ?? {};
    await world.harness.increase(id, { amount: 100 });
    await world.harness.capture(id, { amount: 100, final: false });
    const { transaction } = await world.harness.capture(id, { amount: 1299 });
    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1399 });
  });
});

it('an order at Adyen goes along as data for corporate cards', async () => {
  const paid = await world.pay('adyen', { ...ORDER, country: 'US' });
  expect(paid).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
  expect(sentToAdyen()).toMatchObject({
    additionalData: {
      ...{ manualCapture: 'true', 'enhancedSchemeData.customerReference': 'PO 7' },
      ...{ 'enhancedSchemeData.freightAmount': '109', 'enhancedSchemeData.totalTaxAmount': '190' },
      'enhancedSchemeData.itemDetailLine1.totalAmount': '1000',
    },
  });
});

describe('a payment service that leaves orders out', () => {
  it('sends none to Stripe, with the payment and with its capture, and the payment keeps its order', async () => {
    const paymentServiceId = await world.connectWith('stripe', { omit_order: 'true' });
    const { id = '' } = (await world.pay('stripe', { ...ORDER, paymentServiceId })) ?? {};
    const sale = await world.pay('stripe', { ...ORDER, paymentServiceId, intent: 'CAPTURE' });
    expect(sale).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
    expect(Object.keys(sentToStripe('/payment_intents')).join()).not.toContain('details');

    const { transaction } = await world.harness.capture(id);

    expect(transaction).toMatchObject({ status: 'CAPTURE_SUCCEEDED' });
    expect(Object.keys(sentToStripe('/capture')).join()).not.toContain('details');
    const { kept } = await world.harness.ask<{ kept: object }>(
      'query ($id: ID!) { kept: transaction(id: $id) { purchaseOrderNumber orderTotals { itemAmount taxAmount } } }',
      { id },
    );
    expect(kept).toEqual({ purchaseOrderNumber: 'PO 7', orderTotals: { itemAmount: 1000, taxAmount: 190 } });
  });

  it.each([
    ['true', false],
    ['false', true],
  ])('sends none to Adyen with omit_order: %s', async (value, isSent) => {
    const paymentServiceId = await world.connectWith('adyen', { omit_order: value });
    const paid = await world.pay('adyen', { ...ORDER, paymentServiceId, country: 'US' });
    expect(paid).toMatchObject({ status: 'AUTHORIZATION_SUCCEEDED' });
    expect(JSON.stringify(sentToAdyen()).includes('enhancedSchemeData')).toBe(isSent);
  });
});

describe('a lost answer is found after the switch', () => {
  const lateOmit = async (id: string) => {
    await world.harness.ask(
      `mutation ($id: ID!) { updatePaymentService(id: $id, input: { fields: [{ key: "omit_order", value: "true" }] }) {
        userErrors { message } } }`,
      { id },
    );
    await reconcileAfter(world.harness, 60_000);
  };

  it.each([
    ['stripe', 'CAPTURE', 'CAPTURE_SUCCEEDED'],
    ['adyen', 'AUTHORIZE', 'AUTHORIZATION_SUCCEEDED'],
  ] as const)('of a payment at %s: %s', async (provider, intent, status) => {
    const paymentServiceId = await world.connectWith(provider, {});
    if (provider === 'stripe') world.stripe.failNext(['lose_answer'], /payment_intents$/);
    else world.adyen.failNext('lose_answer');
    const paying = await world.pay(provider, { ...ORDER, paymentServiceId, intent, country: 'US' });
    expect(paying).toMatchObject({ status: 'PROCESSING' });

    await lateOmit(paymentServiceId);

    expect(await world.harness.transaction(paying?.id ?? '')).toMatchObject({ status });
  });

  it('of a capture at Stripe', async () => {
    const paymentServiceId = await world.connectWith('stripe', {});
    const { id = '' } = (await world.pay('stripe', { ...ORDER, paymentServiceId })) ?? {};
    world.stripe.failNext(['lose_answer'], /capture$/);
    await world.harness.capture(id);

    await lateOmit(paymentServiceId);

    expect(await world.harness.transaction(id)).toMatchObject({
      ...{ status: 'CAPTURE_SUCCEEDED', capturedAmount: 1299 },
    });
  });
});

it('an order at PayPal is shown to the buyer', async () => {
  const paid = await world.pay('paypal', {
    ...{ ...ORDER, paymentMethod: { redirect: { method: 'paypal' } } },
    redirectUrl: 'https://shop.example/back',
  });
  expect(paid).toMatchObject({ status: 'BUYER_APPROVAL_PENDING' });
  const money = (value: string) => ({ currency_code: 'USD', value });
  expect(sentToPayPal()).toMatchObject({
    purchase_units: [
      {
        amount: {
          ...money('12.99'),
          breakdown: { item_total: money('10.00'), shipping: money('1.09'), tax_total: money('1.90') },
        },
        items: [
          {
            ...{ name: 'Socks', quantity: '2', unit_amount: money('5.00'), sku: 'S-1' },
            category: 'PHYSICAL_GOODS',
          },
        ],
      },
    ],
  });
});

const PAYPAL = {
  paymentMethod: { redirect: { method: 'paypal' } },
  redirectUrl: 'https://shop.example/back',
};

it.each<['stripe' | 'adyen' | 'paypal', object, string]>([
  ['stripe', { intent: 'CAPTURE' }, 'CAPTURE_SUCCEEDED'],
  ['adyen', {}, 'AUTHORIZATION_SUCCEEDED'],
  ['paypal', PAYPAL, 'BUYER_APPROVAL_PENDING'],
])('a blank text does not harm a payment at %s', async (provider, changes, status) => {
  const blank = { sku: ' ', description: ' ', commodityCode: ' ', unitOfMeasure: ' ' };
  const [line] = ORDER.cartItems;
  for (const texts of [blank, { ...blank, name: ' ' }]) {
    const order = { ...ORDER, cartItems: [{ ...line, ...texts }], customerReferenceNumber: ' ' };
    expect(await world.pay(provider, { ...order, ...changes })).toMatchObject({ status });
  }
});

it.each<['stripe' | 'adyen' | 'paypal', object, string, () => unknown]>([
  ['stripe', { intent: 'CAPTURE' }, 'CAPTURE_SUCCEEDED', () => sentToStripe('/payment_intents')],
  ['adyen', { country: 'US' }, 'AUTHORIZATION_SUCCEEDED', () => sentToAdyen()],
  ['paypal', PAYPAL, 'BUYER_APPROVAL_PENDING', () => sentToPayPal()],
])(
  'a cart of another amount stays away from %s, and the payment goes on',
  async (provider, changes, status, sent) => {
    const cartItems = [{ name: 'Odd socks', quantity: 1, unitAmount: 5 }];
    expect(await world.pay(provider, { cartItems, ...changes })).toMatchObject({ status });
    expect(JSON.stringify(sent())).not.toMatch(
      /Odd socks|_details|enhancedSchemeData|lineItems|breakdown|"items"/,
    );
  },
);

describe('a process of a former release, which knows no order', () => {
  it.each([
    ['stripe', { intent: 'CAPTURE' }, 'CAPTURE_SUCCEEDED', () => world.stripe.books().payments],
    ['adyen', { country: 'US' }, 'AUTHORIZATION_SUCCEEDED', () => world.adyen.books()],
    ['paypal', PAYPAL, 'BUYER_APPROVAL_PENDING', () => world.paypal.double.books().payments],
  ] as const)('repeats a payment at %s, and makes no second one', async (provider, changes, status, made) => {
    const before = made().length;
    loseAnswer[provider]();
    const { id = '' } = (await world.pay(provider, { ...ORDER, ...changes })) ?? {};
    await world.harness.server.app.db.prisma.$executeRaw`
      UPDATE transaction SET order_details = NULL WHERE id = ${id}::uuid`;
    await world.harness.pass(120_000);
    await reconcileDue(world.harness.server.app);

    expect(await world.harness.transaction(id)).toMatchObject({ status });
    expect(made().length).toBe(before + 1);
  });
});

/** Loses the answer to the next creation of a payment. */
const loseAnswer = {
  stripe: () => world.stripe.failNext(['lose_answer'], /payment_intents$/),
  adyen: () => world.adyen.failNext('lose_answer'),
  paypal: () => world.paypal.double.failNext(['lose_answer'], /checkout\/orders$/),
};
