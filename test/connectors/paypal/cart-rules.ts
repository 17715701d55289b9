import type { Json } from './json.ts';
import { refuseIssue } from './refusal.ts';
import { readPart, textAt, wireAt, type Amount, type Wire } from './world.ts';

const UNIT = '/purchase_units/0';
const BREAKDOWN = `${UNIT}/amount/breakdown`;

/** The parts of a breakdown that the amount adds, and those that the amount takes off. */
const ADDED = ['item_total', 'shipping', 'handling', 'tax_total', 'insurance'];
const TAKEN = ['shipping_discount', 'discount'];

/** Refuses a breakdown or items whose sum is another amount. */
export function checkCart(unit: Wire, amount: Amount): void {
  const items = (wireAt(unit, 'items') ?? []) as readonly Wire[];
  const breakdown = wireAt(unit, 'amount', 'breakdown');
  items.forEach(checkTexts);
  const part = (name: string): number | null => {
    const money = wireAt(breakdown ?? {}, name);
    return money === null ? null : minorOf(money, `${BREAKDOWN}/${name}`, amount);
  };
  const sumOf = (names: readonly string[]): number => names.reduce((sum, name) => sum + (part(name) ?? 0), 0);
  checkItems(items, 'unit_amount', { total: part('item_total'), name: 'item_total' }, amount);
  checkItems(items, 'tax', { total: part('tax_total'), name: 'tax_total' }, amount);
  if (breakdown !== null && sumOf(ADDED) - sumOf(TAKEN) !== amount.minor)
    refuseIssue('AMOUNT_MISMATCH', `${UNIT}/amount/value`);
}

/** Refuses a text of spaces alone. PayPal does not document this, so the double is strict. */
function checkTexts(item: Wire, index: number): void {
  const blank = ['name', 'sku', 'description'].find((name) => textAt(item, name)?.trim() === '');
  if (blank) refuseIssue('INVALID_PARAMETER_VALUE', `${UNIT}/items/${index}/${blank}`);
}

type Total = { readonly total: number | null; readonly name: 'item_total' | 'tax_total' };

/** Refuses items whose prices or taxes need a total, and make another one. */
function checkItems(items: readonly Wire[], field: string, { total, name }: Total, amount: Amount): void {
  const given = items.flatMap((item, index) => {
    const money = wireAt(item, field);
    const at = `${UNIT}/items/${index}/${field}`;
    return money === null ? [] : [minorOf(money, at, amount) * Number(textAt(item, 'quantity'))];
  });
  if (given.length === 0) return;
  const issue = name.toUpperCase();
  if (total === null) refuseIssue(`${issue}_REQUIRED`, `${BREAKDOWN}/${name}`);
  if (given.reduce((sum, each) => sum + each, 0) !== total) refuseIssue(`${issue}_MISMATCH`, `${UNIT}/items`);
}

/** Reads a part of a payment, which may be nothing. */
function minorOf(money: Json, field: string, { currency }: Amount): number {
  const part = readPart(money, field);
  if (part.currency !== currency) refuseIssue('MULTI_CURRENCY_ORDER');
  return part.minor;
}
