import type { Order, OrderTotals } from '../../../connectors/interface/order.ts';
import { hasTotals, totalsOf } from '../input/order-totals.ts';
import type { OrderDetails } from '../model/details.ts';
import type { Operation } from '../model/operation.ts';
import type { Transaction } from '../model/transaction.ts';
import { visibleLines, visibleText } from './order-texts.ts';

/**
 * Returns the order of a payment for its provider. The order never changes after the payment's creation.
 *
 * Null for a payment of an earlier release, because each repeat of its request has to stay the same.
 */
export function orderOf(transaction: Transaction): Order | null {
  const { id, orderDetails, cartItems, createdAt, merchantReference, shippingDetails } = transaction;
  if (!orderDetails) return null;
  const numbers = {
    purchaseOrderNumber: visibleText(orderDetails.purchaseOrderNumber),
    customerReferenceNumber: visibleText(orderDetails.customerReferenceNumber),
    merchantTaxId: visibleText(orderDetails.merchantTaxId),
    supplierOrderNumber: visibleText(orderDetails.supplierOrderNumber),
  };
  const totals = orderTotalsOf(transaction);
  if (totals === null && Object.values(numbers).every((number) => number === null)) return null;
  const { postalCode = null, stateCode = null, country = null } = shippingDetails?.address ?? {};
  return {
    reference: visibleText(merchantReference) ?? id,
    lines: totals === null ? [] : visibleLines(cartItems ?? []),
    totals,
    placedOn: createdAt.toISOString().slice(0, 10),
    shipsTo: shippingDetails?.address ? { postalCode, stateCode, country } : null,
    ...numbers,
  };
}

/**
 * Returns the order for the only capture of a payment, which takes the whole amount. Null for another capture. Providers take an
 * order with the first capture alone.
 *
 * An increase or an allowance to capture more may have left the order's amount to a later capture. So the capture has no order
 * then.
 */
export const orderOfCapture = (transaction: Transaction, { amount, final }: Operation): Order | null =>
  final && isOnly(transaction, amount) ? orderOf(transaction) : null;

const isOnly = (transaction: Transaction, captured: number): boolean =>
  captured === transaction.amount &&
  captured === transaction.authorizedAmount &&
  transaction.overCaptureAllowance === 0;

/** Returns the order for a refund of the payment's whole amount. Null for another refund. */
export const orderOfRefund = (transaction: Transaction, { amount }: Operation): Order | null =>
  amount === transaction.amount ? orderOf(transaction) : null;

type Ordered = Pick<Transaction, 'orderDetails' | 'cartItems' | 'amount' | 'giftCardAmount'>;

/**
 * Returns the totals that the provider gets. Null without any, for a cart that does not make the amount, and if gift cards pay a part.
 */
export function orderTotalsOf(transaction: Ordered): OrderTotals | null {
  const { orderDetails: details, cartItems, amount, giftCardAmount } = transaction;
  const lines = cartItems ?? [];
  if (!details || giftCardAmount > 0 || (lines.length === 0 && !hasTotals(details))) return null;
  const totals = totalsOf({ amount, lines, details });
  return totals.ok ? totals.value : null;
}

/** Returns the lines and the totals that a provider would get with a cart alone. Null as above. */
export function orderOfCart(cart: Omit<Ordered, 'orderDetails'>): Pick<Order, 'lines' | 'totals'> | null {
  const totals = orderTotalsOf({ ...cart, orderDetails: NO_DETAILS });
  return totals && { lines: visibleLines(cart.cartItems ?? []), totals };
}

const NO_DETAILS: OrderDetails = {
  ...{ taxAmount: null, shippingAmount: null, dutyAmount: null, amountIncludesTax: null },
  ...{ purchaseOrderNumber: null, customerReferenceNumber: null, merchantTaxId: null },
  supplierOrderNumber: null,
};
