import { fromProviderUnits, toProviderUnits, type AmountForms, type Money } from '../../door.ts';

/**
 * The currencies in which Stripe's amounts differ from ISO 4217. With three decimals, Stripe takes only a last digit of 0. The
 * decimals of ISK and UGX must be 00.
 */
export const STRIPE_AMOUNTS: AmountForms = {
  ISK: { decimals: 2, step: 100 },
  UGX: { decimals: 2, step: 100 },
  MGA: { decimals: 0 },
  BHD: { decimals: 3, step: 10 },
  IQD: { decimals: 3, step: 10 },
  JOD: { decimals: 3, step: 10 },
  KWD: { decimals: 3, step: 10 },
  LYD: { decimals: 3, step: 10 },
  OMR: { decimals: 3, step: 10 },
  TND: { decimals: 3, step: 10 },
};

/** Stripe refuses an amount of more than eight digits. */
const AMOUNT_MAX = 99_999_999;

/** An amount in Stripe's form: its own minor units, and the currency in lower case. */
export type StripeAmount = { readonly amount: number; readonly currency: string };

/** Converts an amount for a request. Null if Stripe cannot express the amount. Never rounds. */
export function toStripe(money: Money): StripeAmount | null {
  const amount = toProviderUnits(money, STRIPE_AMOUNTS);
  return amount === null || amount > AMOUNT_MAX ? null : { amount, currency: money.currency.toLowerCase() };
}

/** Converts an amount of an answer. Null if we cannot express the amount. */
export const fromStripe = (amount: number, currency: string): Money | null =>
  fromProviderUnits(amount, currency.toUpperCase(), STRIPE_AMOUNTS);
