/** The methods to which Paygraph gives means of their own: an account, a card and a gift card. */
const WITH_MEANS: ReadonlySet<string> = new Set(['bank', 'card', 'gift-card']);

/**
 * The words beside these with which the API and the payment page name means to pay and steps. A method of the same name could
 * not be told from them.
 */
const RESERVED: ReadonlySet<string> = new Set([
  ...[
    'add-gift-card',
    'applepay',
    'checkout-session',
    'click-to-pay',
    'googlepay',
    'googlepay_pan_only',
    'id',
  ],
  ...['network-token', 'network_token', 'payment-link', 'paze', 'plaid', 'remove-gift-card'],
]);

/** The form of a name: 2 to 50 characters, a lower-case letter first. */
const FORM = /^[a-z][a-z0-9_-]{1,49}$/;

/** True for a method that the buyer approves or pays elsewhere, and not for one with means of its own. */
export const isRedirectMethod = (method: string): boolean => isMethod(method) && !WITH_MEANS.has(method);

/** Tells whether a definition may have a method. A connector may bring a method with a new name. */
export const isMethod = (method: string): boolean =>
  FORM.test(method) && !RESERVED.has(method) && !isInherited(method);

/** True for `constructor`, a key that every object has. Tables by method would give a function for such a name. */
const isInherited = (method: string): boolean => method in Object.prototype;
