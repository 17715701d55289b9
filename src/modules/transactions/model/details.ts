/**
 * One line of the cart. Amounts are minor units of the transaction's currency. The unit price is for one unit, all
 * other amounts are for the line.
 */
export type CartItem = {
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

export type { BrowserInfo, StatementDescriptor } from '../../../connectors/interface/requests.ts';

/** Settings for single connectors, by the id of a definition. */
export type ConnectionOptions = { readonly [definitionId: string]: JsonObject | null };

export type JsonObject = { readonly [name: string]: Json };
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export const INTEGRATION_CLIENTS = ['ios', 'android', 'web'] as const;
export type IntegrationClient = (typeof INTEGRATION_CLIENTS)[number];

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
