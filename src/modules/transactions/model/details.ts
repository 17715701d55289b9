import type { OrderLine } from '../../../connectors/interface/order.ts';

export type { BrowserInfo, StatementDescriptor } from '../../../connectors/interface/requests.ts';
export { PRODUCT_TYPES } from '../../../connectors/interface/order.ts';

/** One line of the cart. Amounts are minor units of the transaction's currency. */
export type CartItem = OrderLine;

/** The facts about the order beside its lines. Amounts are minor units of the transaction's currency. */
export type OrderDetails = {
  readonly taxAmount: number | null;
  readonly shippingAmount: number | null;
  readonly dutyAmount: number | null;
  /** True if the prices have the taxes. Null means that the taxes are added. */
  readonly amountIncludesTax: boolean | null;
  readonly purchaseOrderNumber: string | null;
  readonly customerReferenceNumber: string | null;
  readonly merchantTaxId: string | null;
  readonly supplierOrderNumber: string | null;
};

/** Settings for single connectors, by the id of a definition. */
export type ConnectionOptions = { readonly [definitionId: string]: JsonObject | null };

export type JsonObject = { readonly [name: string]: Json };
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export const INTEGRATION_CLIENTS = ['ios', 'android', 'web'] as const;
export type IntegrationClient = (typeof INTEGRATION_CLIENTS)[number];
