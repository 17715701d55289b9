import creditCardType from 'credit-card-type';

/** The facts of a card that may be stored and shown. */
export type CardFacts = {
  readonly scheme: string | null;
  /** The first eight digits. */
  readonly bin: string;
  readonly lastFour: string;
};

/** Schemes that the package credit-card-type names differently. */
const SCHEMES: Readonly<Record<string, string>> = {
  'american-express': 'amex',
  'diners-club': 'diners_club',
};

/** Returns the facts of a card number of 13 to 19 digits: scheme, first eight and last four digits. */
export function cardFacts(number: string): CardFacts {
  // Ranges overlap. The library lists the closest match first.
  const type = creditCardType(number).find(({ lengths }) => lengths.includes(number.length))?.type;
  const scheme = type ? (SCHEMES[type] ?? type.replaceAll('-', '_')) : null;
  return { scheme, bin: number.slice(0, 8), lastFour: number.slice(-4) };
}

/** Schemes that never share a card, because the number of each card belongs to one of them. */
const APART: ReadonlySet<string> = new Set(['amex', 'jcb', 'mastercard', 'visa']);

/**
 * Returns true if no card with a number of a scheme can be of a network. The number of a co-badged card shows one of
 * the card's schemes. The number does not show the other scheme, so any other pair may be right.
 */
export const isNoCardOf = (network: string, scheme: string | null): boolean =>
  scheme !== null && network !== scheme && APART.has(network) && APART.has(scheme);

/** True if a card that expires at MM/YY has expired. A card is valid through the last day of the month, in UTC. */
export function isExpired(expirationDate: string, now: Date): boolean {
  const [month = 0, year = 0] = expirationDate.split('/').map(Number);
  return now.getTime() >= Date.UTC(2000 + year, month, 1);
}
