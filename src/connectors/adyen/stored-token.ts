/** A payment method that Adyen stores for a shopper. */
export type StoredMethod = { readonly shopperReference: string; readonly storedPaymentMethodId: string };

/** Adyen's limits for a shopper reference. */
const SHOPPER_MIN = 3;
const SHOPPER_MAX = 256;

/**
 * Returns the shopper under whom a payment stores its method. The payment's key stands in for a buyer without a usable name. Such
 * a shopper has this method alone.
 */
export const shopperOf = (buyerReference: string | null, key: string): string =>
  buyerReference !== null && buyerReference.length >= SHOPPER_MIN && buyerReference.length <= SHOPPER_MAX
    ? buyerReference
    : key;

/**
 * Reads the token of an answer or a webhook, as `<shopperReference>/<storedPaymentMethodId>`. Null without a token, or
 * without a shopper.
 */
export function tokenOf(data: Readonly<Record<string, string>>, sentShopper: string | null): string | null {
  const id = data['tokenization.storedPaymentMethodId'] ?? data['recurring.recurringDetailReference'];
  const shopper =
    data['tokenization.shopperReference'] ??
    data['recurring.shopperReference'] ??
    data['shopperReference'] ??
    sentShopper;
  return id === undefined || shopper === null
    ? null
    : writeToken({ shopperReference: shopper, storedPaymentMethodId: id });
}

/** Writes the token of a stored payment method, as `<shopperReference>/<storedPaymentMethodId>`. */
export const writeToken = ({ shopperReference, storedPaymentMethodId }: StoredMethod): string =>
  `${shopperReference}/${storedPaymentMethodId}`;

/** Splits a token at its last slash, because an id of Adyen holds none. Null for a text without both parts. */
export function storedMethodOf(token: string): StoredMethod | null {
  const slash = token.lastIndexOf('/');
  const [shopperReference, storedPaymentMethodId] = [
    token.slice(0, Math.max(slash, 0)),
    token.slice(slash + 1),
  ];
  const isUsable =
    shopperReference.length >= SHOPPER_MIN &&
    shopperReference.length <= SHOPPER_MAX &&
    ID.test(storedPaymentMethodId);
  return isUsable ? { shopperReference, storedPaymentMethodId } : null;
}

const ID = /^[A-Za-z0-9]{1,64}$/;
