/**
 * The order that a payment pays. All amounts are minor units of the payment's currency.
 *
 * The lines and the totals make the amount of the payment. Both are left out if they would not, and if gift cards pay a part. Each
 * text has a visible character.
 */
export type Order = {
  /** The merchant's own name of the payment at its creation, or our id of the payment. */
  readonly reference: string;
  /** The lines of the cart, at most 200. Empty if the merchant gave none, and if a line has no visible name. */
  readonly lines: readonly OrderLine[];
  /** Null if the merchant gave neither lines nor totals. */
  readonly totals: OrderTotals | null;
  /** The day of the payment's creation in UTC, as YYYY-MM-DD. */
  readonly placedOn: string;
  /** The place that receives the goods. Null if the merchant gave none. */
  readonly shipsTo: OrderPlace | null;
  /** The buyer's number of the order. */
  readonly purchaseOrderNumber: string | null;
  /** The merchant's name of the customer, for the statements of corporate cards. */
  readonly customerReferenceNumber: string | null;
  readonly merchantTaxId: string | null;
  readonly supplierOrderNumber: string | null;
};

export type OrderPlace = {
  readonly postalCode: string | null;
  /** ISO 3166-2. */
  readonly stateCode: string | null;
  /** ISO 3166-1 alpha-2. */
  readonly country: string | null;
};

/**
 * The sums of an order. The amount of the payment is `itemAmount` - `discountAmount` + `shippingAmount` + `dutyAmount` +
 * `taxAmount`. With `taxIncluded`, the prices already have the taxes, which are not added again.
 */
export type OrderTotals = {
  /** The price of all units of goods, before discounts. Without lines: the rest of the amount. */
  readonly itemAmount: number;
  readonly discountAmount: number;
  readonly taxAmount: number;
  readonly shippingAmount: number;
  readonly dutyAmount: number;
  readonly taxIncluded: boolean;
};

/** One line of an order. The unit price is for one unit, all other amounts are for the line. */
export type OrderLine = {
  readonly name: string;
  readonly quantity: number;
  readonly unitAmount: number;
  readonly discountAmount: number;
  readonly taxAmount: number;
  readonly externalIdentifier: string | null;
  readonly sku: string | null;
  readonly upc: string | null;
  readonly productUrl: string | null;
  readonly imageUrl: string | null;
  readonly categories: readonly string[] | null;
  readonly productType: ProductType | null;
  readonly sellerCountry: string | null;
  readonly taxExempt: boolean | null;
  readonly unitOfMeasure: string | null;
  readonly commodityCode: string | null;
  readonly description: string | null;
  readonly dutyAmount: number | null;
  readonly shippingAmount: number | null;
};

export const PRODUCT_TYPES = [
  'physical',
  'discount',
  'shipping_fee',
  'sales_tax',
  'digital',
  'gift_card',
  'store_credit',
  'surcharge',
] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

/** The total that the price of a line belongs to. */
export type PricePart = 'itemAmount' | 'discountAmount' | 'shippingAmount' | 'taxAmount';

const PARTS: Readonly<Partial<Record<ProductType, PricePart>>> = {
  discount: 'discountAmount',
  store_credit: 'discountAmount',
  shipping_fee: 'shippingAmount',
  sales_tax: 'taxAmount',
};

/** Returns the total that the price of a line belongs to. A discount and a credit lower the amount of the payment. */
export const partOf = ({ productType }: Pick<OrderLine, 'productType'>): PricePart =>
  (productType && PARTS[productType]) ?? 'itemAmount';

/** True for a line that sells something. Other lines are discounts, shipping or taxes. */
export const isGoods = (line: Pick<OrderLine, 'productType'>): boolean => partOf(line) === 'itemAmount';
