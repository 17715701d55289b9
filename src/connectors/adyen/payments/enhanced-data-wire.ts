import {
  isGoods,
  statementText,
  withoutNulls,
  type AuthorizeRequest,
  type Order,
  type OrderLine,
  type OrderPlace,
} from '../../door.ts';

type Texts = Readonly<Record<string, string>>;

/** The facts that decide about the data. */
type Corporate = Pick<AuthorizeRequest, 'order' | 'money' | 'country' | 'cardNetwork' | 'buyer'>;

/**
 * Maps an order to the data of level 2 and 3 for corporate cards, as entries of `additionalData`. Adyen takes the data for domestic
 * payments of the United States, so the request must tell no other country.
 *
 * Level 3 has the lines. Lines that do not add up with the sums are left out. Level 2 alone needs a tax. Both need a reference, and
 * a tax within the amount.
 */
export function enhancedDataOf(request: Corporate): Texts {
  const { order, money } = request;
  if (!order?.totals || !isDomestic(request)) return {};
  const { taxAmount, shippingAmount, dutyAmount } = order.totals;
  const customerReference = referenceOf(order);
  const lines = linesOf(order);
  if (customerReference === null || taxAmount > money.amount || (lines === null && taxAmount === 0))
    return {};
  const level2 = withoutNulls({
    customerReference,
    orderDate: dateOf(order),
    totalTaxAmount: String(taxAmount),
    freightAmount: shippingAmount > 0 ? String(shippingAmount) : null,
    dutyAmount: dutyAmount > 0 ? String(dutyAmount) : null,
  });
  return under('enhancedSchemeData', { ...level2, ...placeOf(order.shipsTo), ...lines });
}

/** True for US dollars and for no country but the United States, by a network whose data Adyen describes. */
function isDomestic({ money, country, cardNetwork, buyer }: Corporate): boolean {
  const told = [country, buyer.billingAddress?.country ?? null].filter((each) => each !== null);
  return (
    money.currency === 'USD' &&
    told.length > 0 &&
    told.every((each) => each === 'US') &&
    (cardNetwork === null || NETWORKS.includes(cardNetwork))
  );
}

const NETWORKS = ['visa', 'mastercard', 'amex'];

const under = (prefix: string, texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${prefix}.${name}`, text]));

/** The number of lines that Adyen takes. */
const LINES_MAX = 9;

/** Maps the lines. Null if level 3 cannot have them. */
function linesOf({ lines, totals }: Order): Texts | null {
  const goods = lines.filter(isGoods);
  const discounts = goods.reduce((sum, { discountAmount }) => sum + discountAmount, 0);
  const addUp = totals !== null && !totals.taxIncluded && discounts === totals.discountAmount;
  const mapped = goods.map(lineOf).filter((line) => line !== null);
  if (!addUp || goods.length === 0 || goods.length > LINES_MAX || mapped.length < goods.length) return null;
  return Object.fromEntries(
    mapped.flatMap((line, at) => Object.entries(under(`itemDetailLine${at + 1}`, line))),
  );
}

const DESCRIPTION_MAX = 26;
const CODE_MAX = 12;
const UNIT_MAX = 3;
const STATE_MAX = 3;

/** Maps a line. Null for a line without a price, and for a name without letters. */
function lineOf(line: OrderLine): Texts | null {
  const description = statementText(line.name, NO_ASCII, DESCRIPTION_MAX);
  const total = line.quantity * line.unitAmount - line.discountAmount;
  if (description === null || description.length < 2 || total === 0) return null;
  return withoutNulls({
    ...{ description, quantity: String(line.quantity), unitPrice: String(line.unitAmount) },
    totalAmount: String(total),
    discountAmount: line.discountAmount > 0 ? String(line.discountAmount) : null,
    productCode: plain(line.sku ?? line.upc ?? line.externalIdentifier, CODE_MAX),
    commodityCode: plain(line.commodityCode, CODE_MAX),
    unitOfMeasure: plain(line.unitOfMeasure, UNIT_MAX),
  });
}

const REFERENCE_MAX = 25;

const referenceOf = ({ customerReferenceNumber, purchaseOrderNumber, reference }: Order): string | null =>
  plain(customerReferenceNumber, REFERENCE_MAX) ??
  plain(purchaseOrderNumber, REFERENCE_MAX) ??
  plain(reference, REFERENCE_MAX);

/** The characters that Adyen does not take. */
const NO_ASCII = /[^\x20-\x7e]/g;

/** Writes a code in the characters that Adyen takes. Null if nothing but zeros is left. */
function plain(text: string | null, max: number): string | null {
  const left = (text ?? '').replaceAll(NO_ASCII, '').trim().slice(0, max).trim();
  return /^0*$/.test(left) ? null : left;
}

/** Writes the day of the order as `ddMMyy`. */
const dateOf = ({ placedOn }: Order): string => {
  const [year = '', month = '', day = ''] = placedOn.split('-');
  return day + month + year.slice(2);
};

/** The countries of addresses that Adyen describes, with the code and the postal codes. */
const COUNTRIES: Readonly<Record<string, { readonly code: string; readonly postalCode: RegExp }>> = {
  US: { code: 'USA', postalCode: /^\d{5}(-\d{4})?$/ },
  CA: { code: 'CAN', postalCode: /^[A-Z]\d[A-Z] \d[A-Z]\d$/ },
};

/** Maps the receiver of the goods. Empty for another country. */
function placeOf(place: OrderPlace | null): Texts {
  const country = COUNTRIES[place?.country ?? ''];
  if (!place || !country) return {};
  const { postalCode, stateCode } = place;
  return withoutNulls({
    destinationCountryCode: country.code,
    destinationPostalCode: postalCode !== null && country.postalCode.test(postalCode) ? postalCode : null,
    destinationStateProvinceCode: plain(stateCode?.split('-').at(-1) ?? null, STATE_MAX),
  });
}
