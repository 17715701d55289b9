import { describe, expect, it } from '@jest/globals';
import { totalsOf } from '../../src/modules/transactions/input/order-totals.ts';
import type { CartItem, OrderDetails } from '../../src/modules/transactions/model/details.ts';

const SOCKS: CartItem = {
  ...{ name: 'Socks', quantity: 3, unitAmount: 400, discountAmount: 0, taxAmount: 0 },
  ...{ externalIdentifier: null, sku: null, upc: null, productUrl: null, imageUrl: null, categories: null },
  ...{ productType: null, sellerCountry: null, taxExempt: null, unitOfMeasure: null, commodityCode: null },
  ...{ description: null, dutyAmount: null, shippingAmount: null },
};

const UNTOLD: OrderDetails = {
  ...{ taxAmount: null, shippingAmount: null, dutyAmount: null, amountIncludesTax: null },
  ...{ purchaseOrderNumber: null, customerReferenceNumber: null, merchantTaxId: null },
  supplierOrderNumber: null,
};

const summed = (amount: number, lines: readonly Partial<CartItem>[], details: Partial<OrderDetails> = {}) =>
  totalsOf({
    amount,
    lines: lines.map((line) => ({ ...SOCKS, ...line })),
    details: { ...UNTOLD, ...details },
  });

const totals = (changes: object) => ({
  ok: true,
  value: {
    ...{ itemAmount: 1200, discountAmount: 0, taxAmount: 0, shippingAmount: 0, dutyAmount: 0 },
    ...{ taxIncluded: false, ...changes },
  },
});

describe('the totals of an order', () => {
  it.each<[string, number, readonly Partial<CartItem>[], Partial<OrderDetails>, object]>([
    ['one line', 1200, [{}], {}, {}],
    [
      'all parts in the lines',
      1200 - 100 + 190 + 50 + 7,
      [{ discountAmount: 100, taxAmount: 190, shippingAmount: 50, dutyAmount: 7 }],
      {},
      { discountAmount: 100, taxAmount: 190, shippingAmount: 50, dutyAmount: 7 },
    ],
    [
      'all parts beside the lines',
      1200 + 190 + 50 + 7,
      [{}],
      { taxAmount: 190, shippingAmount: 50, dutyAmount: 7 },
      { taxAmount: 190, shippingAmount: 50, dutyAmount: 7 },
    ],
    [
      'the same parts in both',
      1200 + 190 + 50,
      [{ taxAmount: 190, shippingAmount: 50 }],
      { taxAmount: 190, shippingAmount: 50 },
      { taxAmount: 190, shippingAmount: 50 },
    ],
    [
      'taxes in the prices',
      1250,
      [{ taxAmount: 190, shippingAmount: 50 }],
      { amountIncludesTax: true },
      { taxAmount: 190, shippingAmount: 50, taxIncluded: true },
    ],
    [
      'lines without goods',
      1200 - 150 - 20 + 500 + 99,
      [
        {},
        { quantity: 1, unitAmount: 150, productType: 'discount' },
        { quantity: 2, unitAmount: 10, productType: 'store_credit' },
        { quantity: 1, unitAmount: 600, discountAmount: 100, productType: 'shipping_fee' },
        { quantity: 1, unitAmount: 99, productType: 'sales_tax' },
      ],
      {},
      { discountAmount: 170, shippingAmount: 500, taxAmount: 99 },
    ],
    [
      'a discount with a tax of its own',
      1200 + 228 - 100 - 19,
      [{ taxAmount: 228 }, { quantity: 1, unitAmount: 100, taxAmount: 19, productType: 'discount' }],
      {},
      { discountAmount: 100, taxAmount: 209 },
    ],
    [
      'a credit that is paid after the taxes',
      1200 + 190 - 1300,
      [{ taxAmount: 190 }, { quantity: 1, unitAmount: 1300, productType: 'store_credit' }],
      { shippingAmount: 0 },
      { discountAmount: 1300, taxAmount: 190 },
    ],
    [
      'included taxes, of which a credit pays a part',
      100,
      [{ taxAmount: 190 }, { quantity: 1, unitAmount: 1100, taxAmount: 0, productType: 'store_credit' }],
      { amountIncludesTax: true },
      { discountAmount: 1100, taxAmount: 190, taxIncluded: true },
    ],
    [
      'goods of every kind',
      4800,
      [{}, { productType: 'digital' }, { productType: 'gift_card' }, { productType: 'surcharge' }],
      {},
      { itemAmount: 4800 },
    ],
    [
      'totals alone',
      1000,
      [],
      { taxAmount: 100, dutyAmount: 50 },
      { itemAmount: 850, taxAmount: 100, dutyAmount: 50 },
    ],
    [
      'totals alone, with the taxes in the amount',
      1000,
      [],
      { taxAmount: 160, amountIncludesTax: true },
      { itemAmount: 1000, taxAmount: 160, taxIncluded: true },
    ],
  ])('add up: %s', (_, amount, lines, details, expected) => {
    expect(summed(amount, lines, details)).toEqual(totals(expected));
  });

  it.each<[string, number, readonly Partial<CartItem>[], Partial<OrderDetails>, string, string]>([
    [
      ...(['too little', 1299, [{}], {}] as const),
      ...([
        'cartItems',
        'The lines and the totals must make the amount, which is 99 minor units more.',
      ] as const),
    ],
    [
      ...(['too much', 1299, [{}], { taxAmount: 100 }] as const),
      ...([
        'cartItems',
        'The lines and the totals must make the amount, which is 1 minor units less.',
      ] as const),
    ],
    [
      ...(['another tax than the lines', 1390, [{ taxAmount: 190 }], { taxAmount: 191 }] as const),
      ...(['taxAmount', 'Must be the sum of the lines, which is 1 minor units less.'] as const),
    ],
    [
      ...([
        'no shipping costs beside those of lines',
        1250,
        [{ shippingAmount: 50 }],
        { shippingAmount: 0 },
      ] as const),
      ...(['shippingAmount', 'Must be the sum of the lines, which is 50 minor units more.'] as const),
    ],
    [
      ...(['totals above the amount', 100, [], { shippingAmount: 60, dutyAmount: 60 }] as const),
      'shippingAmount',
      'Taxes, shipping costs and duties must be within the amount, which is 20 minor units less.',
    ],
    [
      ...([
        'an included tax above the amount',
        100,
        [],
        { taxAmount: 101, amountIncludesTax: true },
      ] as const),
      'taxAmount',
      'Included taxes must be at most the prices, which are 1 minor units less.',
    ],
    [
      'an included tax above the lines',
      ...([1200, [{}], { taxAmount: 1201, amountIncludesTax: true }] as const),
      'taxAmount',
      'Included taxes must be at most the prices, which are 1 minor units less.',
    ],
    [
      'an included tax above its line',
      ...([1400, [{ discountAmount: 1000, taxAmount: 201 }, {}], { amountIncludesTax: true }] as const),
      'cartItems.0.taxAmount',
      'Must be within the price of the line, which is 1 minor units less.',
    ],
    [
      ...(['a discount above its line', 1, [{ discountAmount: 1201 }], {}] as const),
      'cartItems.0.discountAmount',
      'Must be at most the price of the line, which is 1 minor units less.',
    ],
    [
      ...([
        'a discount with more taxes than the goods',
        1,
        [{ taxAmount: 1, productType: 'discount' }],
        {},
      ] as const),
      ...(['cartItems', 'The taxes of all lines must not be below 0.'] as const),
    ],
    [
      ...(['a line above every amount', 1, [{ quantity: 99_999_999, unitAmount: 2 }], {}] as const),
      ...(['cartItems.0.quantity', 'The price of the line must be at most 99999999.'] as const),
    ],
  ])('are refused with the difference: %s', (_, amount, lines, details, path, message) => {
    const refused = summed(amount, lines, details);
    const refusals = refused.ok ? [] : refused.refusals;
    expect(refusals.map((each) => [each.path.join('.'), each.message])).toEqual([[path, message]]);
  });

  it.each<[string, Partial<CartItem>]>([
    ['items', {}],
    ['discounts', { productType: 'discount' }],
    ['shipping costs', { productType: 'shipping_fee' }],
    ['taxes', { productType: 'sales_tax' }],
  ])('are no amount above the largest one: %s', (words, changes) => {
    const lines = [
      { quantity: 1, unitAmount: 99_999_999, ...changes },
      { quantity: 1, unitAmount: 1, ...changes },
    ];
    const refused = summed(99_999_999, lines);
    expect(refused.ok ? '' : refused.refusals[0].message).toBe(
      `The ${words} of all lines must be at most 99999999.`,
    );
  });
});
