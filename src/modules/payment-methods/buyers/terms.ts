import type { BuyerDetails } from '../people.ts';

/** Longer ones are cut, so that a term stays within what an index takes. */
const TERM_LENGTH_MAX = 200;

/** Words of a search; more would each cost a look-up. */
export const WORDS_MAX = 10;

/**
 * What a buyer is found by, each once: identifiers and the e-mail address whole, and every word of them and of its names.
 * The e-mail address is found by its name and by its domain, too.
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

/** The words of a search, as terms. */
export const wordsOf = (text: string): string[] => text.split(/\s+/u).filter(Boolean).map(termOf);

/** Upper and lower case are the same; cut between characters. */
export const termOf = (text: string): string =>
  Array.from(text.trim().toLowerCase()).slice(0, TERM_LENGTH_MAX).join('');
