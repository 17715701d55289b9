import { fromDecimalText, toDecimalText, type Money } from '../door.ts';

/** An amount at Mollie, as decimal text with exactly the decimals of the currency. */
export type MollieAmount = { readonly currency: string; readonly value: string };

/** Converts our money for a request. Null when Mollie cannot take the amount. */
export function amountToWire(money: Money): MollieAmount | null {
  const value = money.amount < 1 ? null : toDecimalText(money, {});
  return value === null ? null : { currency: money.currency, value };
}

/** Converts Mollie's amount into our money. Null when we cannot express the amount. */
export const moneyFromWire = ({ currency, value }: MollieAmount): Money | null =>
  fromDecimalText(value, currency, {});
