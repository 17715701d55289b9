import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { reconcileDue } from '../../src/modules/transactions/index.ts';
import { startHarness, type Harness } from './harness.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

const SOCKS = { name: 'Socks', quantity: 2, unitAmount: 500, sku: 'S-1', productType: 'PHYSICAL' };
const NUMBERS = {
  ...{ purchaseOrderNumber: 'PO 7', customerReferenceNumber: 'C-7', merchantTaxId: 'DE123456789' },
  supplierOrderNumber: 'SUP-7',
};
const WHOLE = { taxAmount: 190, shippingAmount: 99, dutyAmount: 10, amountIncludesTax: false };

/** The inputs that a release without orders does not know. */
const LATER = [...Object.keys({ ...NUMBERS, ...WHOLE }).map((name) => `input.${name}`), 'orderDetails'];

const FIELDS = `taxAmount shippingAmount dutyAmount amountIncludesTax purchaseOrderNumber customerReferenceNumber
  merchantTaxId supplierOrderNumber
  orderTotals { itemAmount discountAmount taxAmount shippingAmount dutyAmount taxIncluded }`;

/** Reads the order of a payment by GraphQL. */
async function orderOf(id: string | undefined): Promise<object> {
  const document = `query ($id: ID!) { transaction(id: $id) { ${FIELDS} } }`;
  return (await harness.ask<{ transaction: object }>(document, { id })).transaction;
}

const lastOrder = () => harness.provider.calls.at(-1)?.order;

const TOTALS = {
  ...{ item_amount: 1000, discount_amount: 0, tax_amount: 190, shipping_amount: 99, duty_amount: 10 },
  tax_included: false,
};

describe('the order of a payment', () => {
  it('is stored, shown, and handed to the provider', async () => {
    const { transaction } = await harness.create({ cartItems: [SOCKS], ...WHOLE, ...NUMBERS });

    expect(transaction?.status).toBe('AUTHORIZATION_SUCCEEDED');
    expect(await orderOf(transaction?.id)).toEqual({
      ...{ ...WHOLE, ...NUMBERS },
      orderTotals: {
        ...{ itemAmount: 1000, discountAmount: 0, taxAmount: 190, shippingAmount: 99, dutyAmount: 10 },
        taxIncluded: false,
      },
    });
    expect(lastOrder()).toEqual({
      lines: [
        {
          ...{ name: 'Socks', quantity: 2, unit_amount: 500, discount_amount: 0, tax_amount: 0 },
          ...{ sku: 'S-1', product_type: 'physical' },
        },
      ],
      totals: TOTALS,
      numbers: {
        placed_on: harness.server.app.clock.now().toISOString().slice(0, 10),
        ...{ purchase_order: 'PO 7', customer_reference: 'C-7', merchant_tax_id: 'DE123456789' },
        supplier_order: 'SUP-7',
      },
    });
  });

  it('names the customer only to readers of buyers', async () => {
    const { transaction } = await harness.create({ cartItems: [SOCKS], ...WHOLE, ...NUMBERS });
    const token = await harness.server.mint({ scopes: ['transactions.read'] });
    const { body } = await harness.server.graphql(
      'query ($id: ID!) { transaction(id: $id) { purchaseOrderNumber customerReferenceNumber } }',
      { id: transaction?.id },
      { token },
    );

    expect(body.data).toEqual({
      transaction: { purchaseOrderNumber: 'PO 7', customerReferenceNumber: null },
    });
    expect(body.errors).toMatchObject([
      {
        path: ['transaction', 'customerReferenceNumber'],
        extensions: { code: 'FORBIDDEN', requiredScopes: [['buyers.read']] },
      },
    ]);
  });

  it('has a cart that makes the amount by itself', async () => {
    const { transaction } = await harness.create({ amount: 1000, cartItems: [SOCKS] });
    expect(lastOrder()).toMatchObject({ lines: [{ name: 'Socks' }], totals: { item_amount: 1000 } });
    expect(await orderOf(transaction?.id)).toMatchObject({
      taxAmount: null,
      orderTotals: { itemAmount: 1000 },
    });
  });

  it('has no text without a visible character', async () => {
    const blank = { sku: ' ', upc: '\t', description: '\u200b', unitOfMeasure: ' ', commodityCode: ' ' };
    const numbers = { purchaseOrderNumber: ' ', customerReferenceNumber: ' C-7 ', merchantTaxId: '\n' };
    const line = { ...SOCKS, ...blank, externalIdentifier: ' ', categories: [' ', ' feet'] };
    await harness.create({ amount: 1000, cartItems: [line], ...numbers, supplierOrderNumber: ' ' });
    const [sent] = [lastOrder()].flatMap((order) => order?.lines ?? []);
    expect(sent).toEqual({
      ...{ name: 'Socks', quantity: 2, unit_amount: 500, discount_amount: 0, tax_amount: 0 },
      ...{ product_type: 'physical', categories: ['feet'] },
    });
    expect(lastOrder()?.numbers).toEqual({ placed_on: expect.any(String), customer_reference: 'C-7' });

    await harness.create({ amount: 2000, cartItems: [SOCKS, { ...SOCKS, name: ' ' }] });
    expect(lastOrder()).toMatchObject({ lines: [], totals: { item_amount: 2000 } });
  });

  it('is nothing for a payment that tells nothing', async () => {
    const { transaction } = await harness.create();
    expect(harness.provider.calls.at(-1)).not.toHaveProperty('order');
    expect(Object.values(await orderOf(transaction?.id))).toEqual(Array(9).fill(null));
  });

  it('has no cart that makes another amount, which the specification allows', async () => {
    const { transaction } = await harness.create({ cartItems: [SOCKS] });
    expect(transaction?.status).toBe('AUTHORIZATION_SUCCEEDED');
    expect(harness.provider.calls.at(-1)).not.toHaveProperty('order');
    await harness.create({ cartItems: [SOCKS], purchaseOrderNumber: 'PO 8' });
    expect(lastOrder()).toMatchObject({ lines: [], numbers: { purchase_order: 'PO 8' } });
    expect(lastOrder()).not.toHaveProperty('totals');
  });

  it('is the same on each attempt, although the merchant renames the payment in between', async () => {
    const before = harness.provider.calls.length;
    harness.provider.failNext('lose_answer');
    const { transaction } = await harness.create({ cartItems: [SOCKS], ...WHOLE });
    await harness.ask(
      `mutation ($id: ID!) { updateTransaction(id: $id, input: { externalIdentifier: "new" }) { transaction { id } } }`,
      { id: transaction?.id },
    );
    await harness.pass(60_000);
    await reconcileDue(harness.server.app);

    const [first, again] = harness.provider.calls
      .slice(before)
      .filter(({ operation }) => operation === 'authorize');
    expect(first?.order).toMatchObject({ totals: TOTALS });
    expect(again?.order).toEqual(first?.order);
  });

  it('keeps its totals when the authorisation is increased, which leaves the amount', async () => {
    const { transaction } = await harness.create({ amount: 1000, cartItems: [SOCKS] });
    const { transaction: increased } = await harness.increase(transaction?.id ?? '', { amount: 250 });

    expect(increased).toMatchObject({ amount: 1000, authorizedAmount: 1250 });
    expect(await orderOf(transaction?.id)).toMatchObject({ orderTotals: { itemAmount: 1000 } });
  });

  it('stays away from the provider for a payment of an earlier release', async () => {
    const before = harness.provider.calls.length;
    harness.provider.failNext('lose_answer');
    const { transaction } = await harness.create({ amount: 1000, cartItems: [SOCKS] });
    await harness.server.app.db.prisma.$executeRaw`
      UPDATE transaction SET order_details = NULL WHERE id = ${transaction?.id}::uuid`;
    await harness.pass(60_000);
    await reconcileDue(harness.server.app);

    const [, again] = harness.provider.calls.slice(before);
    expect(again).toMatchObject({ operation: 'authorize' });
    expect(again).not.toHaveProperty('order');
  });

  it.each([
    [{ cartItems: [SOCKS], ...WHOLE, taxAmount: 141 }, 'cartItems', 'which is 49 minor units more.'],
    [{ cartItems: [SOCKS], amountIncludesTax: true }, 'cartItems', 'which is 299 minor units more.'],
    [{ taxAmount: 1300 }, 'taxAmount', 'which is 1 minor units less.'],
    [{ taxAmount: -1 }, 'taxAmount', 'Must be 0 or more.'],
    [{ dutyAmount: 100_000_000 }, 'dutyAmount', 'Must be at most 99999999.'],
    [{ purchaseOrderNumber: '' }, 'purchaseOrderNumber', 'Must be 1 to 100 characters.'],
    [{ merchantTaxId: 'x'.repeat(101) }, 'merchantTaxId', 'Must be 1 to 100 characters.'],
    [
      { customerReferenceNumber: '\u0000' },
      'customerReferenceNumber',
      'Must not contain control characters.',
    ],
    [{ supplierOrderNumber: '' }, 'supplierOrderNumber', 'Must be 1 to 100 characters.'],
  ])('is refused with the difference, and nothing is stored: %#', async (given, path, message) => {
    const since = await harness.since();
    const count = await harness.server.app.db.prisma.transaction.count();

    const { transaction, userErrors } = await harness.create(given);

    expect(transaction).toBeNull();
    expect(userErrors[0]).toMatchObject({
      ...{ code: 'INVALID_INPUT', path: ['input', path], message: expect.stringContaining(message) },
    });
    expect([since.calls(), await harness.server.app.db.prisma.transaction.count()]).toEqual([[], count]);
  });

  it('adds nothing to a request that a former release understands', async () => {
    const given = { amount: 1000, cartItems: [SOCKS] };
    await harness.create(given, 'cart');
    const { digests } = await harness.server.app.db.prisma.idempotencyKey.findFirstOrThrow({
      where: { key: 'cart' },
    });
    const names = Object.keys(JSON.parse(digests) as object);

    expect(names).toContain('input.cartItems.0.unitAmount');
    expect(names.filter((name) => LATER.some((later) => name.includes(later)))).toEqual([]);
  });

  it('belongs to the request of an idempotency key', async () => {
    const given = { cartItems: [SOCKS], ...WHOLE };
    await harness.create(given, 'order');
    const same = await harness.create(given, 'order');
    const other = await harness.create({ ...given, purchaseOrderNumber: 'PO 9' }, 'order');
    expect([same.replayed, other.userErrors]).toMatchObject([
      true,
      [{ code: 'IDEMPOTENCY_KEY_REUSED', differingPaths: ['input.purchaseOrderNumber'] }],
    ]);
  });
});
