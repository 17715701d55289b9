import { z } from 'zod';
import { text } from '../../../platform/input/text.ts';
import { amount, optional } from '../../../platform/input/values.ts';
import type { OrderDetails } from '../model/details.ts';
import { toCartItem, type CartItemInput } from './cart-items.ts';
import { hasTotals, totalsOf, type Disagreement } from './order-totals.ts';

/** The fields of an order beside its lines. */
export const orderDetails = {
  taxAmount: optional(amount(0)),
  shippingAmount: optional(amount(0)),
  dutyAmount: optional(amount(0)),
  amountIncludesTax: optional(z.boolean()),
  purchaseOrderNumber: optional(text(1, 100)),
  customerReferenceNumber: optional(text(1, 100)),
  merchantTaxId: optional(text(1, 100)),
  supplierOrderNumber: optional(text(1, 100)),
};

type Cart = { readonly cartItems: readonly CartItemInput[] | null };

/**
 * Refuses given totals that the lines and the amount contradict. A cart alone may have any sum, because the specification asks for
 * no other.
 */
export const refuseOrder = ({
  amount: whole,
  cartItems,
  ...details
}: OrderDetails & Cart & { readonly amount: number }): readonly Disagreement[] => {
  if (!hasTotals(details)) return [];
  const summed = totalsOf({ amount: whole, lines: (cartItems ?? []).map(toCartItem), details });
  return summed.ok ? [] : summed.refusals;
};

/**
 * Gathers the fields of an order in one object. Null without any of them, and without a cart. An object without values marks a
 * cart that its provider gets.
 */
export function withOrderDetails<Fields extends OrderDetails & Cart>(given: Fields) {
  const { taxAmount, shippingAmount, dutyAmount, amountIncludesTax, purchaseOrderNumber, ...others } = given;
  const { customerReferenceNumber, merchantTaxId, supplierOrderNumber, ...fields } = others;
  const details: OrderDetails = {
    ...{ taxAmount, shippingAmount, dutyAmount, amountIncludesTax },
    ...{ purchaseOrderNumber, customerReferenceNumber, merchantTaxId, supplierOrderNumber },
  };
  const isGiven =
    (given.cartItems?.length ?? 0) > 0 || Object.values(details).some((value) => value !== null);
  return { ...fields, orderDetails: isGiven ? details : null };
}
