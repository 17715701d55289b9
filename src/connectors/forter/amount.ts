import { toDecimalText, type Money } from '../door.ts';

/** An amount at Forter, as decimal text in the payment's currency. */
type ForterAmount = { readonly amountLocalCurrency: string; readonly currency: string };

/** Converts our money. Throws for a currency outside of ISO 4217. */
export function amountOf(money: Money): ForterAmount {
  const text = toDecimalText(money, {});
  if (text === null) throw new RangeError(`Forter takes no amount in ${money.currency}.`);
  return { amountLocalCurrency: text, currency: money.currency };
}
