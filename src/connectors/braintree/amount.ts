import { fromDecimalText, toDecimalText, type AmountForms, type Money } from '../door.ts';

/** An amount in an answer of Braintree, as decimal text. */
export type BraintreeAmount = { readonly value: string; readonly currencyCode: string };

/** Braintree takes no fractions in this currency, and ISO 4217 has two decimals. */
const FORMS: AmountForms = { LAK: { decimals: 0 } };

/** Converts our money for a request. The merchant account decides the currency. Null when Braintree cannot take the amount. */
export function amountToWire(money: Money): string | null {
  const text = money.amount < 1 ? null : toDecimalText(money, FORMS);
  return text === null || THREE_DECIMALS.test(text) ? null : text;
}

/** Braintree takes at most two decimals. */
const THREE_DECIMALS = /\.\d{3}/;

/** Converts Braintree's amount into our money. Null when we cannot express the amount. */
export const moneyFromWire = ({ value, currencyCode }: BraintreeAmount): Money | null =>
  fromDecimalText(value, currencyCode, FORMS);
