/** The selected fields of postal addresses, payers and carts, which many records hold. */
const ADDRESS =
  'address { city country postalCode state stateCode houseNumberOrName line1 line2 organization }';

export const CONTACT = `firstName lastName emailAddress phoneNumber ${ADDRESS}`;

export const BILLING_DETAILS = `billingDetails { ${CONTACT} taxId { value kind } }`;

export const CART_ITEMS = `cartItems { name quantity amount { currency value } unitAmount discountAmount taxAmount
  externalIdentifier sku upc productUrl imageUrl categories productType sellerCountry taxExempt unitOfMeasure
  commodityCode description dutyAmount shippingAmount }`;

export const STATEMENT_DESCRIPTOR =
  'statementDescriptor { name description city country phoneNumber url postalCode }';

/** The shares of accounts in a payment link, a capture or a refund. */
export const SPLITS = 'splits { kind account amount reference }';
