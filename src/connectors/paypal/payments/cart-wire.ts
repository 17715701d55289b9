import { cutText, isGoods, type AuthorizeRequest, type OrderLine, type OrderTotals } from '../../door.ts';
import { partToWire } from '../amount.ts';
import type { PayPalUnit } from '../request-shapes.ts';

type Breakdown = NonNullable<PayPalUnit['amount']['breakdown']>;
type Item = NonNullable<PayPalUnit['items']>[number];

/** The sums of an order, and its goods. */
type Cart = { readonly breakdown: Breakdown; readonly items: readonly Item[] };

/**
 * Maps an order to the sums and the goods that PayPal shows to the buyer. The sums always make the amount, because PayPal refuses
 * others. Null without totals, and if PayPal cannot express one of the amounts.
 */
export function cartToWire({ order, money }: Pick<AuthorizeRequest, 'order' | 'money'>): Cart | null {
  if (!order?.totals) return null;
  const { currency } = money;
  const breakdown = breakdownOf(order.totals, currency);
  const items = order.lines.filter(isGoods).map((line) => itemToWire(line, currency));
  return breakdown === null || items.includes(null)
    ? null
    : { breakdown, items: items.filter((item) => item !== null) };
}

/** Maps the totals. PayPal has no word for duties, so they count as taxes. */
function breakdownOf(totals: OrderTotals, currency: string): Breakdown | null {
  const { itemAmount, discountAmount, shippingAmount, dutyAmount, taxAmount, taxIncluded } = totals;
  const part = (amount: number) => partToWire({ amount, currency });
  const items = part(itemAmount);
  const discount = part(discountAmount);
  const shipping = part(shippingAmount);
  const taxes = part(dutyAmount + (taxIncluded ? 0 : taxAmount));
  if (!items || !discount || !shipping || !taxes) return null;
  return {
    item_total: items,
    ...(discountAmount > 0 && { discount }),
    ...(shippingAmount > 0 && { shipping }),
    ...(Number(taxes.value) > 0 && { tax_total: taxes }),
  };
}

/** The length of a name, a description and a code. */
const TEXT_MAX = 127;

function itemToWire(line: OrderLine, currency: string): Item | null {
  const price = partToWire({ amount: line.unitAmount, currency });
  const name = cutText(line.name, TEXT_MAX);
  const sku = cutText(line.sku, TEXT_MAX);
  const description = cutText(line.description, TEXT_MAX);
  const category = line.productType === null ? undefined : CATEGORIES[line.productType];
  if (price === null || name === null) return null;
  return {
    ...{ name, unit_amount: price, quantity: String(line.quantity) },
    ...(sku !== null && { sku }),
    ...(description !== null && { description }),
    ...(category && { category }),
  };
}

const CATEGORIES: Readonly<Partial<Record<NonNullable<OrderLine['productType']>, Item['category']>>> = {
  physical: 'PHYSICAL_GOODS',
  digital: 'DIGITAL_GOODS',
};
