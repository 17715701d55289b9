/** Stripe's names of a stored payment method. A method of a customer needs the customer in every call. */
export type StripeToken = { readonly customer: string | null; readonly paymentMethod: string };

/** Writes both names as one token. */
export const writeToken = (customer: string, paymentMethod: string): string => `${customer}/${paymentMethod}`;

/** Reads a stored token, or the name of a payment method that Stripe.js made. Null for any other text. */
export function readToken(token: string): StripeToken | null {
  const [, customer, paymentMethod] = TOKEN.exec(token) ?? [];
  return paymentMethod === undefined ? null : { customer: customer ?? null, paymentMethod };
}

// Old accounts have payment methods with the prefixes of cards and sources.
const TOKEN = /^(?:(cus_\w+)\/)?((?:pm|card|src)_\w+)$/;
