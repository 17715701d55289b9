import { fromDecimalText, PAYPAL_AMOUNTS, toDecimalText, type Money } from '../door.ts';

/** An amount at PayPal, as decimal text. */
export type PayPalMoney = { readonly currency_code: string; readonly value: string };

/** Converts our money for a request. Null when PayPal cannot take the amount. PayPal has no payment of nothing. */
export const amountToWire = (money: Money): PayPalMoney | null =>
  money.amount < 1 ? null : partToWire(money);

/** Converts a part of a payment, which may be nothing. Null when PayPal cannot take the amount. */
export function partToWire(money: Money): PayPalMoney | null {
  const value = toDecimalText(money, PAYPAL_AMOUNTS);
  return value === null ? null : { currency_code: money.currency, value };
}

/** Converts PayPal's amount into our money. Null when we cannot express the amount. */
export const moneyFromWire = ({ currency_code: currency, value }: PayPalMoney): Money | null =>
  fromDecimalText(value, currency, PAYPAL_AMOUNTS);
