import {
  isGoods,
  type AuthorizeRequest,
  type CaptureRequest,
  type OrderLine,
  type OrderTotals,
} from '../../door.ts';
import { unitsToWire } from '../amount.ts';
import type { AdyenMethod } from '../methods.ts';
import type { AdyenPayment } from '../request-shapes.ts';

type Ordered = Pick<AuthorizeRequest, 'order' | 'money'>;
type LineItem = NonNullable<AdyenPayment['lineItems']>[number];

/** A line with the amounts of all its units. */
type Priced = Pick<LineItem, 'id' | 'description' | 'quantity'> & {
  readonly gross: number;
  readonly tax: number;
  readonly more?: LineItem;
};

/** The row of a method. Absent for cards and bank accounts. */
type Row = Pick<AdyenMethod, 'takesLines'> | undefined;

/** Returns the lines of a payment for a method that takes them. Null for every other method. */
export const lineItemsFor = (row: Row, request: Ordered): readonly LineItem[] | null =>
  row?.takesLines ? lineItemsToWire(request) : null;

type Change = Pick<CaptureRequest, 'order' | 'money'>;

/**
 * Returns the lines of a capture or a refund for a method that takes them. Their sum is the amount, as the method demands. One
 * line stands for a part of the order, because nobody tells which goods the part is of.
 */
export function lineItemsOfChange(row: Row, { order, money }: Change): readonly LineItem[] | null {
  if (!row?.takesLines) return null;
  const whole = lineItemsToWire({ order: order ?? null, money });
  const part = itemToWire({ description: 'Items of the order', gross: money.amount, tax: 0 }, money.currency);
  return whole ?? (part && [part]);
}

/**
 * Maps an order to the lines that Adyen hands to a payment method, such as one that pays later. Their sum is the amount of the
 * payment. Null without lines, and if Adyen cannot express one of the amounts.
 */
export function lineItemsToWire({ order, money: { currency } }: Ordered): readonly LineItem[] | null {
  if (!order?.totals || order.lines.length === 0) return null;
  const { totals } = order;
  const goods = order.lines.filter(isGoods);
  const priced = [...goods.map((line) => goodsOf(line, totals)), ...restOf(goods, totals)];
  const items = priced.map((line) => itemToWire(line, currency));
  return items.includes(null) ? null : items.filter((item) => item !== null);
}

function goodsOf(line: OrderLine, { taxIncluded }: OrderTotals): Priced {
  const { name, quantity, unitAmount, discountAmount, taxAmount: tax, sku, externalIdentifier } = line;
  const { upc, productUrl, imageUrl, categories } = line;
  const price = quantity * unitAmount - discountAmount;
  const id = sku ?? externalIdentifier;
  return {
    ...{ description: name, quantity, gross: taxIncluded ? price : price + tax, tax },
    ...(id !== null && { id }),
    more: {
      ...(sku !== null && { sku }),
      ...(upc !== null && { upc }),
      ...(productUrl !== null && { productUrl }),
      ...(imageUrl !== null && { imageUrl }),
      ...(categories?.[0] !== undefined && { itemCategory: categories[0] }),
    },
  };
}

/** Lists the parts of the totals that no goods have. */
function restOf(goods: readonly OrderLine[], totals: OrderTotals): readonly Priced[] {
  const discount = sumOf(goods.map(({ discountAmount }) => discountAmount)) - totals.discountAmount;
  const tax = totals.taxIncluded ? 0 : totals.taxAmount - sumOf(goods.map(({ taxAmount }) => taxAmount));
  return [
    { id: 'discount', description: 'Discount', quantity: 1, gross: discount, tax: 0 },
    { id: 'shipping', description: 'Shipping', quantity: 1, gross: totals.shippingAmount, tax: 0 },
    { id: 'duty', description: 'Duty', quantity: 1, gross: totals.dutyAmount, tax: 0 },
    { id: 'tax', description: 'Tax', quantity: 1, gross: tax, tax: 0 },
  ].filter(({ gross }) => gross !== 0);
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Adyen multiplies the amounts of one unit. A line that no unit divides becomes one unit. */
function itemToWire(
  { quantity = 1, description = '', more, ...line }: Priced,
  currency: string,
): LineItem | null {
  const isEven = line.gross % quantity === 0 && line.tax % quantity === 0;
  const units = isEven ? quantity : 1;
  const [gross, tax] = [line.gross / units, line.tax / units].map((amount) =>
    unitsToWire({ amount, currency }),
  );
  if (gross == null || tax == null) return null;
  const net = gross - tax;
  return {
    ...(line.id !== undefined && { id: line.id }),
    ...{ description: isEven ? description : `${quantity} × ${description}`, quantity: units },
    ...{ amountIncludingTax: gross, amountExcludingTax: net, taxAmount: tax },
    taxPercentage: net > 0 ? Math.round((tax * BASIS_POINTS) / net) : 0,
    ...more,
  };
}

const BASIS_POINTS = 10_000;
