import { z } from 'zod';
import { AMOUNT_MAX } from '../../../kernel/money.ts';
import { text } from '../../../platform/input/text.ts';
import { PRODUCT_TYPES, type CartItem } from '../model/details.ts';
import { amount, country, optional, webAddress, wholeNumber } from '../../../platform/input/values.ts';

const cartItem = z
  .object({
    name: text(1, 255),
    quantity: wholeNumber(1, AMOUNT_MAX),
    amount: optional(z.object({ currency: z.string(), value: amount(0) })),
    unitAmount: optional(amount(0)),
    discountAmount: optional(amount(0)),
    taxAmount: optional(amount(0)),
    externalIdentifier: optional(text(1, 200)),
    sku: optional(text(1, 200)),
    upc: optional(text(1, 50)),
    productUrl: optional(webAddress({ insecure: true })),
    imageUrl: optional(webAddress({ insecure: true })),
    categories: optional(z.array(text(1, 50)).max(50, 'Must be at most 50.')),
    productType: optional(z.enum(PRODUCT_TYPES)),
    sellerCountry: optional(country),
    taxExempt: optional(z.boolean()),
    unitOfMeasure: optional(text(1, 50)),
    commodityCode: optional(text(1, 50)),
    description: optional(text(1, 255)),
    dutyAmount: optional(amount(0)),
    shippingAmount: optional(amount(0)),
  })
  .refine((item) => (item.amount == null) !== (item.unitAmount == null), {
    path: ['unitAmount'],
    message: 'Give the price of one unit either as amount or as unitAmount.',
  });

/**
 * Checks cart items in the specification's form and in the richer form, mixed in one list (facts section 0). The caller compares
 * their currency with the transaction's.
 */
export const cartItems = z.array(cartItem).max(200, 'Must be at most 200.');

export type CartItemInput = z.output<typeof cartItem>;

/** Converts a cart item to the form that is stored. */
export const toCartItem = ({ amount: price, ...item }: CartItemInput): CartItem => ({
  ...item,
  unitAmount: price?.value ?? item.unitAmount ?? 0,
  discountAmount: item.discountAmount ?? 0,
  taxAmount: item.taxAmount ?? 0,
});
