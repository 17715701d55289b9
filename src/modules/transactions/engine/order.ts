import type { Order, OrderTotals } from '../../../connectors/interface/order.ts';
import { hasTotals, totalsOf } from '../input/order-totals.ts';
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
 * Returns the order for a capture that ends the payment with the amount of the order. Null for another capture.
 *
 * An increase raises what can be captured, and leaves the order. So two captures can each have the order's amount. Only one of them
 * is final.
 */
export const orderOfCapture = (transaction: Transaction, { amount, final }: Operation): Order | null =>
  final && amount === transaction.amount ? orderOf(transaction) : null;

/**
 * Returns the totals that the provider gets. Null without any, for a cart that does not make the amount, and if gift cards pay a part.
 */
export function orderTotalsOf(transaction: Transaction): OrderTotals | null {
  const { orderDetails: details, cartItems, amount, giftCardAmount } = transaction;
  const lines = cartItems ?? [];
  if (!details || giftCardAmount > 0 || (lines.length === 0 && !hasTotals(details))) return null;
  const totals = totalsOf({ amount, lines, details });
  return totals.ok ? totals.value : null;
}
