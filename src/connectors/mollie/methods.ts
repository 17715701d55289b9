/** A method that the buyer approves at a page, captured at once and refunded in parts. None needs the lines of a cart. */
export type RedirectMethod = {
  /** Our name of the method. */
  readonly method: string;
  readonly displayName: string;
  /** Mollie's name of the method. */
  readonly word: string;
  readonly currencies: readonly string[];
  /** Empty for every country. */
  readonly countries: readonly string[];
};

/** The redirect methods. A further method is a further row. */
export const REDIRECT_METHODS: readonly RedirectMethod[] = [
  row('ideal', 'iDEAL', 'ideal', ['EUR'], ['NL']),
  row('bancontact', 'Bancontact', 'bancontact', ['EUR'], ['BE']),
  row('blik', 'BLIK', 'blik', ['PLN'], ['PL']),
  row('eps', 'EPS', 'eps', ['EUR'], ['AT']),
  row('p24', 'Przelewy24', 'przelewy24', ['EUR', 'PLN'], ['PL']),
  row('paybybank', 'Pay by Bank', 'paybybank', ['EUR', 'GBP'], []),
  row('paypal', 'PayPal', 'paypal', ['CHF', 'DKK', 'EUR', 'GBP', 'NOK', 'PLN', 'SEK', 'USD'], []),
  row('swish', 'Swish', 'swish', ['SEK'], ['SE']),
  row('trustly', 'Trustly', 'trustly', ['DKK', 'EUR', 'GBP', 'NOK', 'SEK'], []),
  row('vipps', 'Vipps', 'vipps', ['NOK'], ['NO']),
];

function row(
  method: string,
  name: string,
  word: string,
  currencies: readonly string[],
  countries: readonly string[],
): RedirectMethod {
  return { method, displayName: `Mollie ${name}`, word, currencies, countries };
}

/** Mollie's name of cards. */
export const CARD = 'creditcard';
