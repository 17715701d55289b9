import { orderTotalsOf, type Transaction } from '../../../modules/transactions/index.ts';

type Cart = Pick<Transaction, 'cartItems' | 'currency'>;

/** Returns the lines of a cart with the price of one unit in both forms. */
export const cartItemsOf = ({ cartItems, currency }: Cart) =>
  cartItems?.map((item) => ({ ...item, amount: { currency, value: item.unitAmount } })) ?? null;

type Details = NonNullable<Transaction['orderDetails']>;

/** Returns the resolver of a fact about the order. A result stored by an earlier release has no such column. */
const detail =
  <Name extends keyof Details>(name: Name) =>
  ({ orderDetails }: Partial<Pick<Transaction, 'orderDetails'>>): Details[Name] | null =>
    orderDetails?.[name] ?? null;

/** The resolvers of a transaction's order. */
export const orderOf = {
  cartItems: cartItemsOf,
  taxAmount: detail('taxAmount'),
  shippingAmount: detail('shippingAmount'),
  dutyAmount: detail('dutyAmount'),
  amountIncludesTax: detail('amountIncludesTax'),
  purchaseOrderNumber: detail('purchaseOrderNumber'),
  customerReferenceNumber: detail('customerReferenceNumber'),
  merchantTaxId: detail('merchantTaxId'),
  supplierOrderNumber: detail('supplierOrderNumber'),
  orderTotals: (transaction: Transaction) => orderTotalsOf(transaction),
};
