import { decimalsOf } from '../../../kernel/currency.ts';
import { isObject } from '../../../kernel/json.ts';
import type { Json } from '../file.ts';

/** Says a rule in words. Names stand for ids. A part that this version of the program does not know is shown as JSON. */
export function ruleWords(rule: Json): string {
  const conditions = listIn(rule['conditions']).map(conditionWords);
  const when = conditions.length === 0 ? 'always' : `if ${conditions.join(' and ')}`;
  return `${when}, ${[actionWords(rule['action']), ...wishWords(rule['threeDSecure'])].join(' and ')}`;
}

/** Says a condition in words. */
export function conditionWords({ not, fact, anyOf }: Json): string {
  const words = Array.isArray(anyOf)
    ? `(${listIn(anyOf).map(conditionWords).join(' or ')})`
    : Object.entries(isObject(fact) ? fact : {})
        .map(([name, value]) => factWords(name, value))
        .join(' and ');
  return not === true ? `not ${words}` : words;
}

function factWords(name: string, value: unknown): string {
  const words = isObject(value) ? OBJECTS[name]?.(value) : undefined;
  if (words !== undefined) return words;
  if (Array.isArray(value)) return `${name} is ${listed(value.map(valueWords), 'or')}`;
  if (name.endsWith('In') && typeof value === 'string') return `${name.slice(0, -2)} is in "${value}"`;
  return `${name} is ${typeof value === 'boolean' ? value : JSON.stringify(value)}`;
}

const OBJECTS: Readonly<Record<string, (value: Json) => string>> = {
  amount: ({ currency, ...bounds }) =>
    `amount is ${range(bounds, (amount) => decimalText(amount, currency))} ${text(currency)}`,
  installmentCount: (bounds) => `installmentCount is ${range(bounds)}`,
  metadata: ({ name, values }) =>
    `metadata ${text(name)} is ${Array.isArray(values) ? listed(values.map(valueWords), 'or') : 'given'}`,
  metadataIn: ({ name, valueSet }) => `metadata ${text(name)} is in "${text(valueSet)}"`,
  externalIdentifier: ({ prefixes }) =>
    `externalIdentifier begins with ${listed((Array.isArray(prefixes) ? prefixes : []).map(valueWords), 'or')}`,
  localTime: ({ zone, days, from, to }) =>
    `the time is ${text(from)} to ${text(to)} on ${(Array.isArray(days) ? days : []).join(', ')} in ${text(zone)}`,
};

function range({ min, max }: Json, write: (bound: unknown) => string = text): string {
  if (max === undefined || max === null) return `at least ${write(min)}`;
  return min === undefined || min === null ? `at most ${write(max)}` : `${write(min)} to ${write(max)}`;
}

/** Writes an amount in minor units as a decimal of its currency. An unknown currency keeps the units. */
function decimalText(amount: unknown, currency: unknown): string {
  const decimals = typeof currency === 'string' ? decimalsOf(currency) : null;
  if (typeof amount !== 'number' || decimals === null) return text(amount);
  return (amount / 10 ** decimals).toFixed(decimals);
}

/** Writes an amount in minor units with its currency, such as `12.50 EUR`. */
export const moneyWords = (amount: number, currency: string): string =>
  `${decimalText(amount, currency)} ${currency}`;

/** Says an action in words. */
export function actionWords(action: unknown): string {
  const { order, split, bySuccess, byCost, positions, refuse } = isObject(action) ? action : {};
  if (isObject(order)) return `ask ${orderWords(order)}`;
  if (Array.isArray(split))
    return `split ${joined(
      listIn(split).map((share) => `${text(share['weight'])} to ${orderWords(share)}`),
      'and',
    )}`;
  if (isObject(bySuccess)) return successWords(bySuccess);
  if (isObject(byCost)) return costWords(byCost);
  if (positions === true) return 'keep the order of positions';
  return isObject(refuse) ? `refuse with ${text(refuse['code'])}` : JSON.stringify(action);
}

function successWords({ lastHours, keepShare, minimumCases, ...order }: Json): string {
  const terms = `the last ${text(lastHours ?? 72)} hours, from ${text(minimumCases ?? 100)} cases on`;
  return `ask the one with the most success of ${comparedWords(order)} (${terms}, ${text(keepShare ?? 5)} % try the others)`;
}

function costWords({ table, ...order }: Json): string {
  const prices = listIn(table).map(priceWords);
  const words = `ask the cheapest of ${comparedWords(order)}`;
  return prices.length === 0 ? words : `${words} (without settlements: ${listed(prices, 'and')})`;
}

function priceWords({ paymentService, scheme, country, percentage, fixed }: Json): string {
  const price = [
    `${text(percentage)} %`,
    ...(isObject(fixed) ? [`${text(fixed['amount'])} minor units of ${text(fixed['currency'])}`] : []),
  ];
  const payments = [scheme, country].filter((each) => each !== null && each !== undefined).map(text);
  return `${text(paymentService)} ${price.join(' + ')}${payments.length === 0 ? '' : ` for ${payments.join(' in ')}`}`;
}

function comparedWords({ paymentServices, onlyThese }: Json): string {
  const names = listed((Array.isArray(paymentServices) ? paymentServices : []).map(valueWords), 'and');
  return onlyThese === true ? `${names} alone` : names;
}

function orderWords({ paymentServices, onlyThese }: Json): string {
  const names = (Array.isArray(paymentServices) ? paymentServices : []).map(valueWords).join(', then ');
  return onlyThese === true ? `${names} alone` : names;
}

const wishWords = (wish: unknown): readonly string[] =>
  typeof wish === 'string' ? [`${wish === 'ALWAYS' ? 'ask for' : 'forbid'} 3-D Secure`] : [];

/** The values that a sentence names. A list may have 250. */
const NAMED_MAX = 8;

/** Lists words with a last conjunction. A long list ends with the count of the others. */
export const listed = (words: readonly string[], conjunction: 'and' | 'or'): string =>
  words.length > NAMED_MAX
    ? `${words.slice(0, NAMED_MAX).join(', ')} ${conjunction} ${words.length - NAMED_MAX} more`
    : joined(words, conjunction);

/** Lists all words with a last conjunction. */
function joined(words: readonly string[], conjunction: 'and' | 'or'): string {
  const [last = '', ...others] = words.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} ${conjunction} ${last}`;
}

const valueWords = (value: unknown): string =>
  isObject(value) && 'from' in value ? `${text(value['from'])}-${text(value['to'])}` : text(value);

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** Lists the objects of a list. */
export const listIn = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter((item): item is Json => isObject(item)) : [];
