import type { Stripe } from 'stripe';
import {
  cutText,
  isGoods,
  toProviderUnits,
  type Order,
  type OrderLine,
  type OrderPlace,
} from '../../door.ts';
import { STRIPE_AMOUNTS } from '../model/amount.ts';

type Wire = Pick<Stripe.PaymentIntentCreateParams, 'amount_details' | 'payment_details'>;
type AmountDetails = NonNullable<Wire['amount_details']>;
type Item = Exclude<AmountDetails['line_items'], '' | null | undefined>[number];

/**
 * Maps an order to the details of the amount that it makes. They go along with the request that moves the money. Stripe compares
 * them with the amount of a capture, and takes them with the first one alone. Amounts that Stripe cannot express leave the details out.
 * https://docs.stripe.com/payments/payment-line-items/flexible-payment-scenarios
 */
export function orderToWire(order: Order, currency: string): Wire {
  const { reference, purchaseOrderNumber, customerReferenceNumber: customer } = order;
  const details = amountDetailsOf(order, (amount) => toProviderUnits({ amount, currency }, STRIPE_AMOUNTS));
  return {
    ...(details && { amount_details: details }),
    payment_details: {
      order_reference: purchaseOrderNumber ?? reference,
      ...(customer !== null && { customer_reference: customer }),
    },
  };
}

/** Converts a part of the amount. Null if Stripe cannot express the part. */
type ToUnits = (amount: number) => number | null;

/**
 * Maps totals and lines. Stripe has no word for duties, so they count as taxes.
 *
 * - Taxes and discounts are told either by all lines or by one sum, never by both.
 * - Prices that have their taxes would not add up, so the lines are left out.
 */
function amountDetailsOf({ lines, totals, shipsTo }: Order, toUnits: ToUnits): AmountDetails | null {
  if (totals === null) return null;
  const { taxAmount, dutyAmount, discountAmount, shippingAmount, taxIncluded } = totals;
  const goods = taxIncluded ? [] : lines.filter(isGoods);
  const taxes = taxAmount + dutyAmount;
  const byLine = {
    taxes: sumOf(goods.map(taxesOf)) === taxes,
    discounts: sumOf(goods.map((line) => line.discountAmount)) === discountAmount,
  };
  const items = goods.map((line) => itemToWire(line, byLine, toUnits));
  const [tax, discount, shipping] = [taxes, discountAmount, shippingAmount].map(toUnits);
  if (tax == null || discount == null || shipping == null || items.includes(null)) return null;
  const postalCode = postalCodeOf(shipsTo);
  return {
    // A mistake about sums must not decline a payment.
    enforce_arithmetic_validation: false,
    ...(items.length > 0 && { line_items: items.filter((item) => item !== null) }),
    ...(items.length > 0 && !byLine.discounts && { discount_amount: discount }),
    ...((items.length === 0 || !byLine.taxes) && { tax: { total_tax_amount: tax } }),
    ...(shipping > 0 && {
      shipping: { amount: shipping, ...(postalCode !== null && { to_postal_code: postalCode }) },
    }),
  };
}

const sumOf = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

const taxesOf = ({ taxAmount, dutyAmount }: OrderLine): number => taxAmount + (dutyAmount ?? 0);

/** The length of a code of a product. */
const CODE_MAX = 12;

function itemToWire(
  line: OrderLine,
  byLine: { readonly taxes: boolean; readonly discounts: boolean },
  toUnits: ToUnits,
): Item | null {
  const [price, discount, tax] = [line.unitAmount, line.discountAmount, taxesOf(line)].map(toUnits);
  if (price == null || discount == null || tax == null) return null;
  const code = cutText(line.sku ?? line.upc ?? line.externalIdentifier, CODE_MAX);
  const { unitOfMeasure: unit, commodityCode: commodity } = line;
  return {
    ...{ product_name: line.name, quantity: line.quantity, unit_cost: price },
    ...(code !== null && { product_code: code }),
    ...(unit !== null && UNIT.test(unit) && { unit_of_measure: unit }),
    ...(byLine.discounts && discount > 0 && { discount_amount: discount }),
    ...(byLine.taxes && { tax: { total_tax_amount: tax } }),
    ...(commodity !== null &&
      COMMODITY.test(commodity) && { payment_method_options: { card: { commodity_code: commodity } } }),
  };
}

const UNIT = /^[A-Za-z0-9]{1,12}$/;
const COMMODITY = /^[A-Za-z0-9][A-Za-z0-9 .-]{0,11}$/;

/** Returns the postal code of the receiver in the form that Stripe takes, or null. */
const postalCodeOf = (place: OrderPlace | null): string | null =>
  place?.postalCode != null && /^[A-Za-z0-9][A-Za-z0-9 -]{0,9}$/.test(place.postalCode)
    ? place.postalCode
    : null;
