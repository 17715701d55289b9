import type { KnownCard } from '../../outcome.ts';

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
  const name = brand ?? data['paymentMethod'] ?? '';
  const scheme = SCHEMES.find(([start]) => name.startsWith(start))?.[1] ?? null;
  const { cardBin: bin = null, cardSummary: lastFour = null, expiryDate } = data;
  if (scheme === null || (bin === null && lastFour === null)) return null;
  return { scheme, bin, lastFour, expirationDate: expiryOf(expiryDate) };
}

/** Reads an expiry such as `3/2030`. */
function expiryOf(text: string | undefined): string | null {
  const [, month, year] = /^(\d{1,2})\/20(\d{2})$/.exec(text ?? '') ?? [];
  return month === undefined || year === undefined ? null : `${month.padStart(2, '0')}/${year}`;
}
