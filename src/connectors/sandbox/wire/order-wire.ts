import { withoutNulls, type Order, type OrderLine } from '../../door.ts';

type Value = string | number | boolean | readonly string[];
type Fields = Readonly<Record<string, Value>>;

/** An order in the provider's format, without empty fields. */
export type OrderOnWire = {
  readonly lines: readonly Fields[];
  readonly totals?: Fields;
  readonly numbers: Fields;
};

/** Maps our order to the provider's format. The provider has the name of the payment and the receiver already. */
export const orderToWire = ({ lines, totals, placedOn, ...numbers }: Order): OrderOnWire => ({
  lines: lines.map(lineToWire),
  ...(totals && {
    totals: {
      item_amount: totals.itemAmount,
      discount_amount: totals.discountAmount,
      tax_amount: totals.taxAmount,
      shipping_amount: totals.shippingAmount,
      duty_amount: totals.dutyAmount,
      tax_included: totals.taxIncluded,
    },
  }),
  numbers: withoutNulls<Value>({
    placed_on: placedOn,
    purchase_order: numbers.purchaseOrderNumber,
    customer_reference: numbers.customerReferenceNumber,
    merchant_tax_id: numbers.merchantTaxId,
    supplier_order: numbers.supplierOrderNumber,
  }),
});

const lineToWire = (line: OrderLine): Fields =>
  withoutNulls<Value>({
    name: line.name,
    quantity: line.quantity,
    unit_amount: line.unitAmount,
    discount_amount: line.discountAmount,
    tax_amount: line.taxAmount,
    shipping_amount: line.shippingAmount,
    duty_amount: line.dutyAmount,
    product_type: line.productType,
    sku: line.sku,
    upc: line.upc,
    external_identifier: line.externalIdentifier,
    product_url: line.productUrl,
    image_url: line.imageUrl,
    categories: line.categories,
    description: line.description,
    commodity_code: line.commodityCode,
    unit_of_measure: line.unitOfMeasure,
    seller_country: line.sellerCountry,
    tax_exempt: line.taxExempt,
  });
