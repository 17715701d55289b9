/**
 * Checkout.com's names of a payment method:
 *
 * - `id`: a stored method, with the payment that stored the method.
 * - `token`: the token that software in the buyer's client made.
 */
export type CheckoutToken =
  | { readonly type: 'id'; readonly id: string; readonly payment: string | null }
  | { readonly type: 'token'; readonly token: string };

/** Writes the names of a stored method as one token. */
export const writeToken = (source: string, payment: string): string => `${source}/${payment}`;

/** Reads a token. Null for any other text. */
export function readToken(text: string): CheckoutToken | null {
  if (CLIENT_TOKEN.test(text)) return { type: 'token', token: text };
  const [, id, payment = null] = STORED.exec(text) ?? [];
  return id === undefined ? null : { type: 'id', id, payment };
}

const CLIENT_TOKEN = /^tok_\w{1,100}$/;
const STORED = /^(src_\w{1,100})(?:\/(pay_\w{1,100}))?$/;
