import { integerAt, textAt, valueAt, type Value, type Values } from './form.ts';
import { refuseParameter } from './refusal.ts';

/** The details of an amount. `sum` is null without lines. */
export type AmountDetails = { readonly sum: number | null; readonly isWrong: boolean };

const ROOT = 'amount_details';
const LINES = `${ROOT}[line_items]`;

/** The longest texts of a line, and the letters of a unit. */
const CODE_MAX = 12;
const NAME_MAX = 1024;
const UNIT = /^[A-Za-z0-9]{1,12}$/;
const COMMODITY = /^[A-Za-z0-9 .-]{1,12}$/;

/**
 * Checks the details of an amount. Null if the request has none. Details that do not make the amount are refused, or marked as
 * wrong without the enforcement.
 */
export function readAmountDetails(values: Values, amount: number): AmountDetails | null {
  for (const name of ['order_reference', 'customer_reference'])
    refuseBlank(textAt(values, 'payment_details', name), `payment_details[${name}]`);
  const details = valueAt(values, ROOT);
  if (details === undefined) return null;
  const lines = (valueAt(details, 'line_items') ?? []) as readonly Value[];
  lines.forEach(checkLine);
  const discount = oneOf(details, 'discount_amount', lines, ['discount_amount']);
  const tax = oneOf(details, 'tax][total_tax_amount', lines, ['tax', 'total_tax_amount']);
  const shipping = integerAt(details, 'shipping', 'amount') ?? 0;
  const prices = lines.map(
    (line) => (integerAt(line, 'unit_cost') ?? 0) * (integerAt(line, 'quantity') ?? 0),
  );
  const sum = total(prices) + tax + shipping - discount;
  const isWrong = lines.length > 0 ? sum !== amount : tax + shipping + discount > amount;
  if (isWrong && valueAt(details, 'enforce_arithmetic_validation') !== false) refuseMismatch();
  return { sum: lines.length > 0 ? sum : null, isWrong };
}

/** Refuses a capture whose amount is not that of the stored lines. Stripe does not document this, so the double is strict. */
export function checkStoredDetails(stored: AmountDetails | null, amount: number): void {
  if (stored?.sum != null && stored.sum !== amount) refuseMismatch();
}

/** Refuses details with a later capture. Stripe documents them for the first one alone, so the double is strict. */
export function refuseDetails(values: Values): void {
  for (const name of ['payment_details', ROOT])
    if (valueAt(values, name) !== undefined)
      refuseParameter('Only the first capture takes the details.', name);
}

const refuseMismatch = (): never =>
  refuseParameter('The amount details do not make the amount.', ROOT, 'amount_details_amount_mismatch');

const total = (amounts: readonly number[]): number => amounts.reduce((sum, amount) => sum + amount, 0);

/** Returns an amount that either the whole or its lines tell. */
function oneOf(details: Value, name: string, lines: readonly Value[], path: readonly string[]): number {
  const whole = integerAt(details, ...path);
  const ofLines = lines.flatMap((line) => integerAt(line, ...path) ?? []);
  if (whole !== null && ofLines.length > 0)
    refuseParameter(
      'You may only specify one of these parameters.',
      `${ROOT}[${name}]`,
      'parameters_exclusive',
    );
  return whole ?? total(ofLines);
}

/** Stripe takes no text that is empty or of spaces alone. */
function refuseBlank(text: string | null, name: string): void {
  if (text !== null && text.trim() === '')
    refuseParameter('You passed a blank string.', name, 'parameter_invalid_string_blank');
}

function checkLine(line: Value, index: number): void {
  const at = (name: string): string => `${LINES}[${index}][${name}]`;
  const least = (name: string, min: number): void => {
    const given = integerAt(line, name);
    if (given !== null && given < min) refuseParameter('This value is too small.', at(name));
  };
  for (const name of ['product_name', 'product_code']) refuseBlank(textAt(line, name), at(name));
  const commodity = textAt(line, 'payment_method_options', 'card', 'commodity_code');
  if (commodity !== null && !COMMODITY.test(commodity))
    refuseParameter('Invalid commodity code.', at('payment_method_options][card][commodity_code'));
  least('quantity', 1);
  least('unit_cost', 0);
  least('discount_amount', 1);
  if ((textAt(line, 'product_name') ?? '').length > NAME_MAX)
    refuseParameter('Too long.', at('product_name'));
  if ((textAt(line, 'product_code') ?? '').length > CODE_MAX)
    refuseParameter('Too long.', at('product_code'));
  const unit = textAt(line, 'unit_of_measure');
  if (unit !== null && !UNIT.test(unit)) refuseParameter('Invalid unit.', at('unit_of_measure'));
}
