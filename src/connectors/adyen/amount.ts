import {
  fromDecimalText,
  fromProviderUnits,
  toProviderUnits,
  type AmountForms,
  type Money,
} from '../door.ts';

/** An amount in Adyen's minor units. */
export type AdyenAmount = { readonly value: number; readonly currency: string };

/** The currencies whose decimals at Adyen differ from ISO 4217. Adyen's own list of currency codes leads. */
export const ADYEN_AMOUNTS: AmountForms = {
  CLP: { decimals: 2 },
  CVE: { decimals: 0 },
  IDR: { decimals: 0 },
  ISK: { decimals: 2 },
};

/** Converts our money for a request. Null when Adyen cannot express the amount. */
export function amountToWire(money: Money): AdyenAmount | null {
  const value = unitsToWire(money);
  return value === null ? null : { value, currency: money.currency };
}

/** Converts our money into Adyen's minor units alone. Null as above. */
export const unitsToWire = (money: Money): number | null => toProviderUnits(money, ADYEN_AMOUNTS);

/** Converts Adyen's amount into our money. Null when we cannot express the amount. */
export const moneyFromWire = ({ value, currency }: AdyenAmount): Money | null =>
  fromProviderUnits(value, currency, ADYEN_AMOUNTS);

/** Reads an amount of a report, such as `5.00`, into our minor units. Null for other text, or when we cannot express it. */
export const unitsFromText = (text: string, currency: string): number | null =>
  fromDecimalText(text, currency, ADYEN_AMOUNTS)?.amount ?? null;
