import type { BuyerDetails } from './people.ts';

/** Longer terms are cut to fit into an index. */
const TERM_LENGTH_MAX = 200;

/** Limit for the words of a search. Each word costs a look-up. */
export const WORDS_MAX = 10;

/**
 * Returns the search terms of a buyer, each once.
 *
 * - Identifiers, phone number and e-mail address, whole.
 * - Every word of the names and of the external identifier.
 * - The local part and the domain of the e-mail address.
 */
export function termsOf({
  displayName,
  externalIdentifier,
  accountNumber,
  billingDetails,
}: BuyerDetails): string[] {
  const { firstName, lastName, emailAddress, phoneNumber } = billingDetails ?? {};
  const whole = [externalIdentifier, accountNumber, emailAddress, phoneNumber];
  const parted = [displayName, firstName, lastName, externalIdentifier, emailAddress?.replace('@', ' ')];
  const all = [...whole.flatMap((text) => text ?? []), ...parted.flatMap((text) => wordsOf(text ?? ''))];
  return [...new Set(all.map(termOf))];
}

/** Splits a search into terms. */
export const wordsOf = (text: string): string[] => text.split(/\s+/u).filter(Boolean).map(termOf);

/** Returns the text in lower case, cut to the maximum length without splitting a character. */
export const termOf = (text: string): string =>
  Array.from(text.trim().toLowerCase()).slice(0, TERM_LENGTH_MAX).join('');
