/** Minor units (integer, 0 to 99 999 999) of an ISO 4217 currency. Never a float. */
export type Money = { readonly amount: number; readonly currency: string };

/** The largest amount that the specification allows ("Payment link", "Limits"). */
export const AMOUNT_MAX = 99_999_999;

export const sameMoney = (a: Money, b: Money): boolean => a.amount === b.amount && a.currency === b.currency;
