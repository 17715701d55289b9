import type { Money } from '../../../../../src/kernel/money.ts';
import {
  fromProviderUnits,
  toProviderUnits,
  type AmountForms,
} from '../../../../../src/connectors/codes/amounts.ts';

/** The currencies whose decimals at the provider differ from ISO 4217, such as `ISK: { decimals: 2 }`. */
const FORMS: AmountForms = {};

/** Converts our money into the provider's minor units, exactly. Null when the provider cannot express the amount. */
export const amountToSkeleton = (money: Money): number | null => toProviderUnits(money, FORMS);

/** Converts the provider's minor units into our money, exactly. Null when we cannot express the amount. */
export const moneyFromSkeleton = (amount: number, currency: string): Money | null =>
  fromProviderUnits(amount, currency, FORMS);
