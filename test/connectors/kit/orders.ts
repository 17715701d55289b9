import type { Order, OrderLine, OrderTotals } from '../../../src/connectors/interface/order.ts';
import type { Money } from '../../../src/kernel/money.ts';

/** A line of two units without further facts: 10.00. */
export const lineOf = (changes: Partial<OrderLine> = {}): OrderLine => ({
  ...{ name: 'Socks', quantity: 2, unitAmount: 500, discountAmount: 0, taxAmount: 0 },
  ...{ externalIdentifier: null, sku: null, upc: null, productUrl: null, imageUrl: null, categories: null },
  ...{ productType: null, sellerCountry: null, taxExempt: null, unitOfMeasure: null, commodityCode: null },
  ...{ description: null, dutyAmount: null, shippingAmount: null, ...changes },
});

export const totalsWith = (changes: Partial<OrderTotals> = {}): OrderTotals => ({
  ...{ itemAmount: 1000, discountAmount: 0, taxAmount: 0, shippingAmount: 0, dutyAmount: 0 },
  ...{ taxIncluded: false, ...changes },
});

/** An order of one line, without numbers. */
export const orderWith = (changes: Partial<Order> = {}): Order => ({
  ...{ reference: 'order-7', lines: [lineOf()], totals: totalsWith(), placedOn: '2026-11-24', shipsTo: null },
  ...{ purchaseOrderNumber: null, customerReferenceNumber: null, merchantTaxId: null },
  ...{ supplierOrderNumber: null, ...changes },
});

/** An order of one line, which makes the amount. */
export const orderOf = ({ amount }: Pick<Money, 'amount'>): Order =>
  orderWith({
    lines: [lineOf({ quantity: 1, unitAmount: amount })],
    totals: totalsWith({ itemAmount: amount }),
  });
