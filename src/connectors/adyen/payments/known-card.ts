import type { KnownCard } from '../../door.ts';

/** The API's names of the schemes, by the start of Adyen's names. Adyen adds words such as `debit` or `commercial`. */
const SCHEMES: readonly (readonly [start: string, scheme: string])[] = [
  ['visa', 'visa'],
  ['mc', 'mastercard'],
  ['amex', 'amex'],
  ['diners', 'diners_club'],
  ['discover', 'discover'],
  ['jcb', 'jcb'],
  ['cup', 'unionpay'],
  ['maestro', 'maestro'],
  ['cartebancaire', 'carte_bancaire'],
];

/** Reads the card behind a payment, as far as the account shows additional data. Null for another payment method. */
export function cardOf(data: Readonly<Record<string, string>>, brand: string | undefined): KnownCard | null {
  const scheme = schemeOf(brand ?? data['paymentMethod']);
  const { cardBin: bin = null, cardSummary: lastFour = null, expiryDate } = data;
  if (scheme === null || (bin === null && lastFour === null)) return null;
  return { scheme, bin, lastFour, expirationDate: expiryOf(expiryDate) };
}

/** A stored method, as Adyen lists it. */
type Listed = Readonly<
  Partial<Record<'brand' | 'cardBin' | 'lastFour' | 'expiryMonth' | 'expiryYear', string | undefined>>
>;

/** Reads the card of a stored method. Null for another payment method. */
export function storedCardOf({
  brand,
  cardBin,
  lastFour,
  expiryMonth,
  expiryYear,
}: Listed): KnownCard | null {
  const scheme = schemeOf(brand);
  if (scheme === null) return null;
  const year = expiryYear?.replace(/^20(?=\d\d$)/, '');
  const isTold = expiryMonth !== undefined && year !== undefined;
  return {
    ...{ scheme, bin: cardBin ?? null, lastFour: lastFour ?? null },
    expirationDate: isTold ? `${expiryMonth.padStart(2, '0')}/${year}` : null,
  };
}

const schemeOf = (name = ''): string | null => SCHEMES.find(([start]) => name.startsWith(start))?.[1] ?? null;

/** Reads an expiry such as `3/2030`. */
function expiryOf(text: string | undefined): string | null {
  const [, month, year] = /^(\d{1,2})\/20(\d{2})$/.exec(text ?? '') ?? [];
  return month === undefined || year === undefined ? null : `${month.padStart(2, '0')}/${year}`;
}
