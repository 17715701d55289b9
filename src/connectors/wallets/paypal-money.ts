import type { AmountForms } from '../codes/amounts.ts';

/** The currencies that PayPal takes, also from the providers through which a payment reaches PayPal. */
export const PAYPAL_CURRENCIES: readonly string[] = [
  ...['AUD', 'BRL', 'CAD', 'CHF', 'CNY', 'CZK', 'DKK', 'EUR', 'GBP', 'HKD', 'HUF', 'ILS', 'JPY'],
  ...['MXN', 'MYR', 'NOK', 'NZD', 'PHP', 'PLN', 'SEK', 'SGD', 'THB', 'TWD', 'USD'],
];

/** The currencies whose decimals at PayPal differ from ISO 4217. */
export const PAYPAL_AMOUNTS: AmountForms = { HUF: { decimals: 0 }, TWD: { decimals: 0 } };
