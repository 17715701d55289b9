import { fromProviderUnits, toProviderUnits, type AmountForms, type Money } from '../door.ts';

/** Amounts with three decimals must end with 0. */
const THOUSANDTHS = { decimals: 3, step: 10 } as const;

/** The currencies in which amounts of Checkout.com differ from ISO 4217. The decimals of CLP must be 00. */
const FORMS: AmountForms = {
  CLP: { decimals: 2, step: 100 },
  ...{ BHD: THOUSANDTHS, IQD: THOUSANDTHS, JOD: THOUSANDTHS, KWD: THOUSANDTHS },
  ...{ LYD: THOUSANDTHS, OMR: THOUSANDTHS, TND: THOUSANDTHS },
};

/** Checkout.com takes at most nine digits. */
const AMOUNT_MAX = 999_999_999;

/** Converts our money for a request. Null when Checkout.com cannot take the amount. Never rounds. */
export function amountToWire(money: Money): number | null {
  const amount = toProviderUnits(money, FORMS);
  return amount === null || amount > AMOUNT_MAX ? null : amount;
}

/** Converts an amount of an answer. Null when we cannot express the amount. */
export const moneyFromWire = (
  amount: number | null | undefined,
  currency: string | null | undefined,
): Money | null => (amount == null || currency == null ? null : fromProviderUnits(amount, currency, FORMS));
