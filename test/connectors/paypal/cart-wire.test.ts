import { describe, expect, it } from '@jest/globals';
import { cartToWire } from '../../../src/connectors/paypal/payments/cart-wire.ts';
import { amountToWire } from '../../../src/connectors/paypal/amount.ts';
import type { Order } from '../../../src/connectors/interface/order.ts';
import { lineOf, orderWith, totalsWith } from '../kit/orders.ts';
import { money, openBench, ORDER } from './double-client.ts';

/** Returns the cart of an order, which PayPal takes for the amount. */
async function sentOf(order: Order, amount: number, currency = 'USD') {
  const cart = cartToWire({ order, money: { amount, currency } });
  if (cart === null) return null;
  const unit = {
    amount: { ...amountToWire({ amount, currency }), breakdown: cart.breakdown },
    ...(cart.items.length > 0 && { items: cart.items }),
  };
  const { call } = openBench();
  const { status, json } = await call('POST /v2/checkout/orders', { ...ORDER, purchase_units: [unit] });
  expect([status, json['details']]).toEqual([200, undefined]);
  return cart;
}

const nothing = lineOf({ name: 'Sticker', quantity: 1, unitAmount: 0 });

describe('a cart at PayPal', () => {
  it('has its goods, and the sums of all lines', async () => {
    const lines = [
      lineOf({
        name: 'x'.repeat(200),
        sku: 'S-1',
        description: 'Warm',
        productType: 'physical',
        taxAmount: 190,
      }),
      lineOf({
        quantity: 1,
        unitAmount: 700,
        discountAmount: 100,
        productType: 'digital',
        shippingAmount: 20,
      }),
      lineOf({ quantity: 1, unitAmount: 300, productType: 'discount' }),
      lineOf({ quantity: 1, unitAmount: 450, productType: 'shipping_fee' }),
    ];
    const totals = totalsWith({
      ...{ itemAmount: 1700, discountAmount: 400, taxAmount: 190, shippingAmount: 470, dutyAmount: 30 },
    });
    expect(await sentOf(orderWith({ lines, totals }), 1990)).toEqual({
      breakdown: {
        ...{ item_total: money('17.00'), discount: money('4.00'), shipping: money('4.70') },
        tax_total: money('2.20'),
      },
      items: [
        {
          ...{ name: 'x'.repeat(127), quantity: '2', unit_amount: money('5.00'), sku: 'S-1' },
          ...{ description: 'Warm', category: 'PHYSICAL_GOODS' },
        },
        { name: 'Socks', quantity: '1', unit_amount: money('7.00'), category: 'DIGITAL_GOODS' },
      ],
    });
  });

  it('adds no taxes that the prices have', async () => {
    const totals = totalsWith({ taxAmount: 160, taxIncluded: true });
    expect((await sentOf(orderWith({ totals }), 1000))?.breakdown).toEqual({ item_total: money('10.00') });
  });

  it('may have totals alone, and goods without a price', async () => {
    const totals = totalsWith({ itemAmount: 900, taxAmount: 100 });
    expect(await sentOf(orderWith({ lines: [], totals }), 1000)).toEqual({
      ...{ breakdown: { item_total: money('9.00'), tax_total: money('1.00') }, items: [] },
    });
    expect((await sentOf(orderWith({ lines: [lineOf(), nothing] }), 1000))?.items).toHaveLength(2);
  });

  it('has whole amounts in a currency without decimals', async () => {
    const order = orderWith({
      lines: [lineOf({ unitAmount: 50_000 })],
      totals: totalsWith({ itemAmount: 100_000 }),
    });
    expect((await sentOf(order, 100_000, 'HUF'))?.breakdown).toEqual({ item_total: money('1000', 'HUF') });
  });

  it.each([
    ['no order', null],
    ['numbers alone', orderWith({ lines: [], totals: null, purchaseOrderNumber: 'PO 7' })],
    [
      'a price that PayPal cannot express',
      orderWith({ lines: [lineOf({ unitAmount: 12_345 })], totals: totalsWith({ itemAmount: 24_690 }) }),
    ],
  ])('is left out for %s', (_, order) => {
    expect(cartToWire({ order, money: { amount: 24_690, currency: 'HUF' } })).toBeNull();
  });
});

describe('the double of PayPal', () => {
  const ITEM = { name: 'Socks', quantity: '2', unit_amount: money('5.00') };
  const unit = (breakdown: object | null, items: readonly object[]) => ({
    amount: { ...money('10.00'), ...(breakdown && { breakdown }) },
    items,
  });

  it.each([
    ['items without their total', unit(null, [ITEM]), 'ITEM_TOTAL_REQUIRED'],
    [
      'items of another total',
      unit({ item_total: money('10.00') }, [{ ...ITEM, quantity: '1' }]),
      'ITEM_TOTAL_MISMATCH',
    ],
    [
      'a blank text',
      unit({ item_total: money('10.00') }, [{ ...ITEM, sku: ' ' }]),
      'INVALID_PARAMETER_VALUE',
    ],
    [
      'a sum of another amount',
      unit({ item_total: money('10.00'), tax_total: money('1.00') }, [ITEM]),
      'AMOUNT_MISMATCH',
    ],
    [
      'taxes of items without their total',
      unit({ item_total: money('10.00') }, [{ ...ITEM, tax: money('0.50') }]),
      'TAX_TOTAL_REQUIRED',
    ],
    [
      'taxes of items of another total',
      unit({ item_total: money('9.00'), tax_total: money('1.00') }, [
        { ...ITEM, unit_amount: money('4.50'), tax: money('0.40') },
      ]),
      'TAX_TOTAL_MISMATCH',
    ],
    ['two currencies', unit({ item_total: money('10.00', 'EUR') }, [ITEM]), 'MULTI_CURRENCY_ORDER'],
  ])('refuses %s', async (_, purchase, issue) => {
    const { call, double } = openBench();
    const { status, json } = await call('POST /v2/checkout/orders', { ...ORDER, purchase_units: [purchase] });
    expect([status, json['details']]).toMatchObject([422, [{ issue }]]);
    expect(double.books().payments).toEqual([]);
  });
});
