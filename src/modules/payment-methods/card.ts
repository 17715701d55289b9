import creditCardType from 'credit-card-type';

/** A card as far as it may be kept and shown. */
export type CardFacts = {
  readonly scheme: string | null;
  /** The first eight digits. */
  readonly bin: string;
  readonly lastFour: string;
};

/** credit-card-type's names for schemes that the specification names otherwise (facts Appendix B, CardScheme). */
const SCHEMES: Readonly<Record<string, string>> = {
  'american-express': 'amex',
  'diners-club': 'diners_club',
};

/** What may be known of a card number of 13 to 19 digits: its scheme, first eight and last four digits. */
export function cardFacts(number: string): CardFacts {
  // Ranges overlap; the library lists the closest match first.
  const type = creditCardType(number).find(({ lengths }) => lengths.includes(number.length))?.type;
  const scheme = type ? (SCHEMES[type] ?? type.replaceAll('-', '_')) : null;
  return { scheme, bin: number.slice(0, 8), lastFour: number.slice(-4) };
}

/** Whether a card that expires at MM/YY is still good at a moment: to the last day of its month, in UTC. */
export function isExpired(expirationDate: string, now: Date): boolean {
  const [month = 0, year = 0] = expirationDate.split('/').map(Number);
  return now.getTime() >= Date.UTC(2000 + year, month, 1);
}
