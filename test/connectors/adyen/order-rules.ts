import { invalid, missing, type Answer } from './refusals.ts';
import type { Amount } from './model.ts';

type LineItem = {
  readonly quantity?: number;
  readonly amountIncludingTax?: number;
  readonly amountExcludingTax?: number;
  readonly taxAmount?: number;
};

/** The order of POST /payments. The description has checked the types. */
export type OrderBody = {
  readonly amount: Amount;
  readonly lineItems?: readonly LineItem[];
  readonly additionalData?: Readonly<Record<string, string>>;
};

const PREFIX = 'enhancedSchemeData.';

/** The longest texts, by the end of their name. */
const TEXTS: Readonly<Record<string, number>> = {
  ...{ customerReference: 25, destinationCountryCode: 3, destinationPostalCode: 10 },
  ...{ destinationStateProvinceCode: 3, orderDate: 6, shipFromPostalCode: 10 },
  ...{ commodityCode: 12, description: 26, productCode: 12, unitOfMeasure: 3 },
};

const NUMBERS = [
  ...['dutyAmount', 'freightAmount', 'totalTaxAmount', 'discountAmount', 'quantity', 'totalAmount'],
  ...['unitPrice'],
];

/** The amounts that may be nothing. */
const MAY_BE_NOTHING = ['dutyAmount', 'freightAmount', 'totalTaxAmount', 'discountAmount'];

/** Refuses lines and data for corporate cards that do not make the amount, or that the schemes do not take. */
export function orderFaultOf({ amount, lineItems, additionalData = {} }: OrderBody): Answer | null {
  if (lineItems && !addsUp(lineItems, amount.value)) return OTHER_LINES;
  const data = Object.entries(additionalData).filter(([name]) => name.startsWith(PREFIX));
  const wrong = data.find(([name, text]) => !isAllowed(name, text));
  if (wrong) return invalid('702', `Invalid ${wrong[0]}`);
  return data.length > 0 && !isWhole(Object.fromEntries(data), amount.value)
    ? invalid('702', 'Invalid enhancedSchemeData')
    : null;
}

const OTHER_LINES = invalid('702', 'lineItems do not match the amount');

/** Refuses the lines of a capture or a refund that do not make its amount. A part may need lines. */
export function partFaultOf(
  amount: Amount,
  lineItems: OrderBody['lineItems'],
  needsLines: boolean,
): Answer | null {
  if (lineItems) return addsUp(lineItems, amount.value) ? null : OTHER_LINES;
  return needsLines ? missing('lineItems') : null;
}

/** Credits alone may be below nothing. */
const addsUp = (items: readonly LineItem[], amount: number): boolean =>
  items.every(
    ({ amountIncludingTax: gross = 0, amountExcludingTax: net = 0, taxAmount: tax = 0 }) =>
      gross === net + tax && (gross < 0 || net >= 0),
  ) &&
  total(items.map(({ quantity = 1, amountIncludingTax = 0 }) => quantity * amountIncludingTax)) === amount;

function isAllowed(name: string, text: string): boolean {
  const field = name.slice(name.lastIndexOf('.') + 1);
  const line = /^enhancedSchemeData\.itemDetailLine([1-9])\./.exec(name);
  if (!line && name !== PREFIX + field) return false;
  if (NUMBERS.includes(field))
    return /^\d{1,12}$/.test(text) && (MAY_BE_NOTHING.includes(field) || Number(text) > 0);
  if (field === 'description' && !/[A-Za-z].|.[A-Za-z]/.test(text)) return false;
  return text.length <= (TEXTS[field] ?? 0) && /^[\x21-\x7e][\x20-\x7e]*$/.test(text) && !/^0+$/.test(text);
}

/** True if the data has a reference, and either a tax alone or lines that make the amount. */
function isWhole(data: Readonly<Record<string, string>>, amount: number): boolean {
  const numberOf = (name: string): number => Number(data[PREFIX + name] ?? 0);
  const sums = Object.entries(data).filter(([name]) => name.endsWith('.totalAmount'));
  if (data[`${PREFIX}customerReference`] === undefined || numberOf('totalTaxAmount') > amount) return false;
  if (sums.length === 0) return numberOf('totalTaxAmount') > 0;
  const more = ['totalTaxAmount', 'freightAmount', 'dutyAmount'].map(numberOf);
  return total([...sums.map(([, text]) => Number(text)), ...more]) === amount;
}

const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);
