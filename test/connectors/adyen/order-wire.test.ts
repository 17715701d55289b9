import { describe, expect, it } from '@jest/globals';
import { enhancedDataOf } from '../../../src/connectors/adyen/payments/enhanced-data-wire.ts';
import { lineItemsFor, lineItemsToWire } from '../../../src/connectors/adyen/payments/line-items-wire.ts';
import type { AuthorizeRequest } from '../../../src/connectors/interface/requests.ts';
import type { Order } from '../../../src/connectors/interface/order.ts';
import { lineOf, orderWith, totalsWith } from '../kit/orders.ts';
import { openDouble, payment } from './double-client.ts';
import { NOBODY, paymentOf } from './samples.ts';

/** Expects that Adyen takes a payment with an order of this amount. */
function taken(value: number, currency: string, changes: object): void {
  const { post } = openDouble();
  const answer = post('/payments', payment('order-1', { amount: { value, currency }, ...changes }));
  expect(answer).toMatchObject({ status: 200, body: { resultCode: 'Authorised' } });
}

const AMERICAN = { country: 'US' };

/** Returns the data for corporate cards, without their prefix. */
function enhancedOf(
  order: Order,
  amount: number,
  currency = 'USD',
  facts: Partial<AuthorizeRequest> = AMERICAN,
) {
  const request = paymentOf({ order, money: { amount, currency }, ...facts });
  const additionalData = enhancedDataOf(request);
  taken(amount, currency, { additionalData });
  return Object.fromEntries(
    Object.entries(additionalData).map(([name, text]) => [name.replace('enhancedSchemeData.', ''), text]),
  );
}

const LEVEL_2 = { customerReference: 'order-7', orderDate: '241126', totalTaxAmount: '190' };
const TAXED = totalsWith({ taxAmount: 190 });

const livingIn = (country: string): AuthorizeRequest['buyer'] => ({
  ...NOBODY,
  billingAddress: {
    ...{ line1: 'High Street', line2: null, houseNumberOrName: '5', city: 'Reno', postalCode: '89501' },
    ...{ state: null, stateCode: 'US-NV', country, organization: null },
  },
});

describe('the data for corporate cards at Adyen', () => {
  it('are of level 3 with lines that add up', () => {
    const lines = [
      lineOf({
        ...{ name: 'Wärme-Socken für den Winter', discountAmount: 100, taxAmount: 190 },
        ...{ sku: 'S-1', unitOfMeasure: 'PAR', commodityCode: '6115' },
      }),
      lineOf({ quantity: 1, unitAmount: 299, upc: '0123456789055', unitOfMeasure: 'dozen' }),
    ];
    const totals = totalsWith({
      ...{ itemAmount: 1299, discountAmount: 100, taxAmount: 190, shippingAmount: 50, dutyAmount: 7 },
    });
    const shipsTo = { postalCode: '89101-1234', stateCode: 'US-NV', country: 'US' };
    const order = orderWith({
      lines,
      totals,
      shipsTo,
      customerReferenceNumber: 'Kunde Müller 0000000000000001',
    });
    expect(enhancedOf(order, 1446)).toEqual({
      ...{ ...LEVEL_2, customerReference: 'Kunde Mller 0000000000000', freightAmount: '50', dutyAmount: '7' },
      ...{ destinationCountryCode: 'USA', destinationPostalCode: '89101-1234' },
      destinationStateProvinceCode: 'NV',
      'itemDetailLine1.description': 'Warme-Socken fur den Winte',
      ...{ 'itemDetailLine1.quantity': '2', 'itemDetailLine1.unitPrice': '500' },
      ...{ 'itemDetailLine1.discountAmount': '100', 'itemDetailLine1.totalAmount': '900' },
      ...{ 'itemDetailLine1.productCode': 'S-1', 'itemDetailLine1.unitOfMeasure': 'PAR' },
      'itemDetailLine1.commodityCode': '6115',
      ...{ 'itemDetailLine2.description': 'Socks', 'itemDetailLine2.quantity': '1' },
      ...{ 'itemDetailLine2.unitPrice': '299', 'itemDetailLine2.totalAmount': '299' },
      ...{ 'itemDetailLine2.productCode': '012345678905', 'itemDetailLine2.unitOfMeasure': 'doz' },
    });
  });

  it.each<[string, Partial<Order>, number]>([
    ['taxes in the prices', { totals: { ...TAXED, taxIncluded: true } }, 1000],
    ['a discount of no line', { totals: { ...TAXED, discountAmount: 1 } }, 1189],
    ['a name without letters', { lines: [lineOf({ name: '靴下' })], totals: TAXED }, 1190],
    [
      'goods for nothing',
      { lines: [lineOf({ discountAmount: 1000 })], totals: { ...TAXED, discountAmount: 1000 } },
      190,
    ],
    [
      'ten lines',
      { lines: Array.from({ length: 10 }, () => lineOf()), totals: { ...TAXED, itemAmount: 10_000 } },
      10_190,
    ],
    ['no lines', { lines: [], totals: TAXED }, 1190],
  ])('are of level 2 with %s', (_, changes, amount) => {
    expect(enhancedOf(orderWith(changes), amount)).toEqual(LEVEL_2);
  });

  it.each<[string, Partial<Order>, number, string]>([
    ['neither a tax nor lines', { lines: [] }, 1000, 'USD'],
    ['a tax above the amount', { totals: { ...TAXED, discountAmount: 1100 } }, 90, 'USD'],
    ['another currency', { totals: TAXED }, 1190, 'EUR'],
    ['numbers alone', { lines: [], totals: null, purchaseOrderNumber: 'PO 7' }, 1000, 'USD'],
    ['names without a letter of ASCII', { customerReferenceNumber: '顧客', reference: '000' }, 1000, 'USD'],
  ])('are left out for %s', (_, changes, amount, currency) => {
    expect(enhancedOf(orderWith(changes), amount, currency)).toEqual({});
  });

  it.each<[boolean, string, Partial<AuthorizeRequest>]>([
    [true, 'a payment in the United States', { country: 'US' }],
    [true, 'an address in the United States', { country: null, buyer: livingIn('US') }],
    [true, 'a chosen network of data', { ...AMERICAN, cardNetwork: 'mastercard' }],
    [false, 'no country', { country: null }],
    [false, 'a payment in another country', { country: 'DE', buyer: livingIn('US') }],
    [false, 'an address in another country', { country: 'US', buyer: livingIn('DE') }],
    [false, 'another chosen network', { ...AMERICAN, cardNetwork: 'star' }],
  ])('go along (%s) with %s', (goes, _, facts) => {
    expect(enhancedOf(orderWith({ lines: [], totals: TAXED }), 1190, 'USD', facts)).toEqual(
      goes ? LEVEL_2 : {},
    );
  });

  it('name a place only in the form of its country', () => {
    const placeOf = (country: string, postalCode: string) => {
      const shipsTo = { country, postalCode, stateCode: null };
      const sent = enhancedOf(orderWith({ lines: [], totals: TAXED, shipsTo }), 1190);
      return [sent['destinationCountryCode'], sent['destinationPostalCode']];
    };
    expect(placeOf('CA', 'M4B 1G5')).toEqual(['CAN', 'M4B 1G5']);
    expect(placeOf('US', '8910')).toEqual(['USA', undefined]);
    expect(placeOf('DE', '10117')).toEqual([undefined, undefined]);
  });
});

/** Returns the lines of a payment that is no card. */
function itemsOf(order: Order, amount: number, currency = 'EUR') {
  const lineItems = lineItemsToWire({ order, money: { amount, currency } });
  if (lineItems) taken(amount, currency, { lineItems });
  return lineItems;
}

const UNTAXED = { taxAmount: 0, taxPercentage: 0 };

describe('the lines for other methods at Adyen', () => {
  it('have the amounts of one unit, with the rate of the tax', () => {
    const line = lineOf({
      ...{ sku: 'S-1', taxAmount: 190, categories: ['feet', 'warm'], upc: '012' },
      ...{ productUrl: 'https://shop.example/s', imageUrl: 'https://shop.example/s.png' },
    });
    expect(itemsOf(orderWith({ lines: [line], totals: TAXED }), 1190)).toEqual([
      {
        ...{ id: 'S-1', sku: 'S-1', description: 'Socks', quantity: 2, itemCategory: 'feet', upc: '012' },
        ...{ amountIncludingTax: 595, amountExcludingTax: 500, taxAmount: 95, taxPercentage: 1900 },
        ...{ productUrl: 'https://shop.example/s', imageUrl: 'https://shop.example/s.png' },
      },
    ]);
  });

  it('join units that the amounts do not divide', () => {
    const lines = [lineOf({ discountAmount: 1 })];
    expect(itemsOf(orderWith({ lines, totals: totalsWith({ discountAmount: 1 }) }), 999)).toEqual([
      { description: '2 × Socks', quantity: 1, amountIncludingTax: 999, amountExcludingTax: 999, ...UNTAXED },
    ]);
  });

  it('have the parts of the totals that no goods have', () => {
    const lines = [
      lineOf({ taxAmount: 100 }),
      lineOf({ quantity: 1, unitAmount: 50, productType: 'discount' }),
    ];
    const totals = totalsWith({
      ...{ discountAmount: 50, taxAmount: 130, shippingAmount: 40, dutyAmount: 10 },
    });
    const rows = itemsOf(orderWith({ lines, totals }), 1130);
    expect(rows?.map(({ id, amountIncludingTax }) => [id, amountIncludingTax])).toEqual([
      ...[[undefined, 550] as const, ['discount', -50], ['shipping', 40], ['duty', 10], ['tax', 30]],
    ]);
  });

  it('have the units of Adyen, with the taxes in the prices', () => {
    const order = orderWith({
      lines: [lineOf({ taxAmount: 100, quantity: 1, unitAmount: 1000 })],
      totals: totalsWith({ taxAmount: 100, taxIncluded: true }),
    });
    const line = { description: 'Socks', quantity: 1, taxPercentage: 1111 };
    expect(itemsOf(order, 1000)).toEqual([
      { ...line, amountIncludingTax: 1000, amountExcludingTax: 900, taxAmount: 100 },
    ]);
    const inKronur = lineItemsToWire({ order, money: { amount: 1000, currency: 'ISK' } });
    expect(inKronur).toEqual([
      { ...line, amountIncludingTax: 100_000, amountExcludingTax: 90_000, taxAmount: 10_000 },
    ]);
    expect(lineItemsToWire({ order: orderWith(), money: { amount: 1000, currency: 'IDR' } })).not.toBeNull();
    const odd = orderWith({ lines: [lineOf({ unitAmount: 550 })], totals: totalsWith({ itemAmount: 1100 }) });
    expect(lineItemsToWire({ order: odd, money: { amount: 1100, currency: 'IDR' } })).toBeNull();
  });

  it('go to methods that take them', () => {
    const request = { order: orderWith(), money: { amount: 1000, currency: 'EUR' } };
    expect(lineItemsFor({ takesLines: true }, request)).toHaveLength(1);
    expect(lineItemsFor({ takesLines: false }, request)).toBeNull();
    expect(lineItemsFor(undefined, request)).toBeNull();
  });

  it.each([null, orderWith({ lines: [] }), orderWith({ totals: null })])('are left out: %#', (order) => {
    expect(lineItemsToWire({ order, money: { amount: 1000, currency: 'EUR' } })).toBeNull();
  });
});

describe('the double of Adyen', () => {
  const data = (more: object) => ({
    amount: { value: 1000, currency: 'USD' },
    additionalData: { 'enhancedSchemeData.customerReference': 'order-7', ...more },
  });

  it.each<[string, object]>([
    [
      'lines of another amount',
      { lineItems: [{ amountIncludingTax: 1, amountExcludingTax: 1, taxAmount: 0 }] },
    ],
    [
      'a line whose taxes do not add up',
      { lineItems: [{ amountIncludingTax: 1299, amountExcludingTax: 1, taxAmount: 0 }] },
    ],
    [
      'a line whose taxes are above its price',
      {
        lineItems: [
          { amountIncludingTax: 100, amountExcludingTax: -90, taxAmount: 190 },
          { amountIncludingTax: 1199, amountExcludingTax: 1199, taxAmount: 0 },
        ],
      },
    ],
    ['level 2 without a tax', data({ 'enhancedSchemeData.totalTaxAmount': '0' })],
    ['level 3 of another amount', data({ 'enhancedSchemeData.itemDetailLine1.totalAmount': '999' })],
    ['an unknown name', data({ 'enhancedSchemeData.taxes': '1', 'enhancedSchemeData.totalTaxAmount': '1' })],
    [
      'a long text',
      data({ 'enhancedSchemeData.totalTaxAmount': '1', 'enhancedSchemeData.orderDate': '24112026' }),
    ],
    ['a tenth line', data({ 'enhancedSchemeData.itemDetailLine10.totalAmount': '1000' })],
  ])('refuses %s', (_, changes) => {
    expect(openDouble().post('/payments', payment('order-1', changes))).toMatchObject({
      ...{ status: 422, body: { errorCode: '702' } },
    });
  });
});
