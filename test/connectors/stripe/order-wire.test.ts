import { describe, expect, it } from '@jest/globals';
import { encodeForm } from '../../../src/connectors/stripe/api/form.ts';
import { orderToWire } from '../../../src/connectors/stripe/wire/order-wire.ts';
import type { Order } from '../../../src/connectors/interface/order.ts';
import { lineOf, orderWith, totalsWith } from '../kit/orders.ts';
import { CARD_PAYMENT, openBench, type Given } from './double-client.ts';
import { readForm } from './form.ts';

const PAYMENTS = 'POST /v1/payment_intents';

/** Returns the details of an order, which Stripe takes for the amount. */
async function sentOf(order: Order, amount: number, currency = 'USD') {
  const wire = orderToWire(order, currency);
  const payment = encodeForm({ ...CARD_PAYMENT, amount, currency: currency.toLowerCase(), ...wire });
  const { status, json } = await openBench().call(PAYMENTS, readForm(PAYMENTS, payment) as Given);
  expect([status, json['error']]).toEqual([200, undefined]);
  expect(json['amount_details']).not.toHaveProperty('error');
  return wire;
}

describe('an order at Stripe', () => {
  it('has taxes and discounts by line, if the lines tell all of them', async () => {
    const lines = [
      lineOf({
        ...{ sku: 'S-1', unitOfMeasure: 'pair', commodityCode: '6115', discountAmount: 100, taxAmount: 171 },
      }),
      lineOf({
        name: 'Card',
        quantity: 1,
        unitAmount: 299,
        upc: '0123456789055',
        unitOfMeasure: 'big box',
        commodityCode: '靴下',
      }),
    ];
    const totals = totalsWith({ itemAmount: 1299, discountAmount: 100, taxAmount: 171, shippingAmount: 50 });
    const shipsTo = { postalCode: '89101', stateCode: 'US-NV', country: 'US' };
    const order = orderWith({
      lines,
      totals,
      shipsTo,
      customerReferenceNumber: 'C-7',
      purchaseOrderNumber: 'PO 7',
    });
    expect(await sentOf(order, 1420)).toEqual({
      amount_details: {
        enforce_arithmetic_validation: false,
        line_items: [
          {
            ...{
              product_name: 'Socks',
              product_code: 'S-1',
              quantity: 2,
              unit_cost: 500,
              unit_of_measure: 'pair',
            },
            ...{ discount_amount: 100, tax: { total_tax_amount: 171 } },
            payment_method_options: { card: { commodity_code: '6115' } },
          },
          {
            ...{ product_name: 'Card', product_code: '012345678905', quantity: 1, unit_cost: 299 },
            tax: { total_tax_amount: 0 },
          },
        ],
        shipping: { amount: 50, to_postal_code: '89101' },
      },
      payment_details: { order_reference: 'PO 7', customer_reference: 'C-7' },
    });
  });

  it('has taxes and discounts as one sum, if lines do not tell all of them', async () => {
    const lines = [
      lineOf({ discountAmount: 10, taxAmount: 5 }),
      lineOf({ quantity: 1, unitAmount: 100, productType: 'discount' }),
      lineOf({ quantity: 1, unitAmount: 80, productType: 'sales_tax' }),
    ];
    const totals = totalsWith({ discountAmount: 110, taxAmount: 85, dutyAmount: 20 });
    expect((await sentOf(orderWith({ lines, totals }), 995)).amount_details).toEqual({
      ...{ enforce_arithmetic_validation: false, discount_amount: 110, tax: { total_tax_amount: 105 } },
      line_items: [{ product_name: 'Socks', quantity: 2, unit_cost: 500 }],
    });
  });

  it('has no lines with taxes in their prices, and none without a cart', async () => {
    const totals = totalsWith({ taxAmount: 160, taxIncluded: true });
    const details = { enforce_arithmetic_validation: false, tax: { total_tax_amount: 160 } };
    expect((await sentOf(orderWith({ totals }), 1000)).amount_details).toEqual(details);
    expect((await sentOf(orderWith({ lines: [], totals }), 1000)).amount_details).toEqual(details);
  });

  it.each(['   ', '-', '〒100-0001'])('has no postal code that Stripe refuses: %j', async (postalCode) => {
    const shipsTo = { postalCode, stateCode: null, country: 'JP' };
    const order = orderWith({ totals: totalsWith({ shippingAmount: 50 }), shipsTo });
    expect((await sentOf(order, 1050)).amount_details).toMatchObject({ shipping: { amount: 50 } });
    expect(JSON.stringify(orderToWire(order, 'USD'))).not.toContain('to_postal_code');
  });

  it('has the units of Stripe, and no details that Stripe cannot express', async () => {
    const inFils = (unitAmount: number) =>
      orderWith({ lines: [lineOf({ unitAmount })], totals: totalsWith({ itemAmount: 2 * unitAmount }) });
    expect((await sentOf(inFils(500), 1000, 'KWD')).amount_details).toMatchObject({
      line_items: [{ unit_cost: 500 }],
    });
    expect(await sentOf(inFils(505), 1010, 'KWD')).toEqual({
      payment_details: { order_reference: 'order-7' },
    });
  });
});

describe('the double of Stripe', () => {
  const LINE = { product_name: 'Socks', quantity: 2, unit_cost: 500 };
  const detailed = (details: Given): Given => ({ ...CARD_PAYMENT, amount_details: details });

  it.each<[string, Given, string]>([
    ['lines of another amount', { line_items: [{ ...LINE, quantity: 1 }] }, 'amount_details_amount_mismatch'],
    ['parts above the amount', { tax: { total_tax_amount: 1001 } }, 'amount_details_amount_mismatch'],
    [
      'taxes told twice',
      { line_items: [{ ...LINE, tax: { total_tax_amount: 0 } }], tax: { total_tax_amount: 0 } },
      'parameters_exclusive',
    ],
    [
      'discounts told twice',
      { line_items: [{ ...LINE, discount_amount: 1 }], discount_amount: 1 },
      'parameters_exclusive',
    ],
  ])('refuses %s', async (_, details, code) => {
    const { error, double } = openBench();
    expect(await error(PAYMENTS, detailed(details))).toMatchObject({ status: 400, code });
    expect(double.books().payments).toEqual([]);
  });

  it.each<[string, Given]>([
    ['a discount of nothing', { ...LINE, discount_amount: 0 }],
    ['a long code', { ...LINE, product_code: 'x'.repeat(13) }],
    ['a blank name', { ...LINE, product_name: ' ' }],
    ['a blank code', { ...LINE, product_code: ' ' }],
    [
      'a long commodity code',
      { ...LINE, payment_method_options: { card: { commodity_code: 'x'.repeat(13) } } },
    ],
    ['a unit with a space', { ...LINE, unit_of_measure: 'big box' }],
  ])('refuses a line with %s', async (_, line) => {
    const { error } = openBench();
    expect(await error(PAYMENTS, detailed({ line_items: [line] }))).toMatchObject({ status: 400 });
  });

  it('marks details of another amount without the enforcement', async () => {
    const { call } = openBench();
    const details = { line_items: [{ ...LINE, quantity: 1 }], enforce_arithmetic_validation: false };
    expect((await call(PAYMENTS, detailed(details))).json).toMatchObject({
      ...{ status: 'succeeded', amount_details: { error: { code: 'amount_details_amount_mismatch' } } },
    });
  });

  it('refuses a capture of another amount than the stored lines', async () => {
    const { call, error } = openBench();
    const made = await call(PAYMENTS, { ...detailed({ line_items: [LINE] }), capture_method: 'manual' });
    const capture = `${PAYMENTS}/${String(made.json['id'])}/capture`;
    expect(await error(capture, { amount_to_capture: 400 })).toMatchObject({
      code: 'amount_details_amount_mismatch',
    });
  });
});
