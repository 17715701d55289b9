import type { BuyerDetails } from './people.ts';

/** Longer terms are cut to fit into an index. */
const TERM_LENGTH_MAX = 200;

/** Limit for the words of a search. Each word costs a look-up. */
export const WORDS_MAX = 10;

/**
 * Returns the search terms of a buyer, each once.
 *
 * - Identifiers, phone number and e-mail address, whole.
 * - Every word of the names, identifiers, phone number and e-mail address, with its parts.
 */
export function termsOf({
  displayName,
  externalIdentifier,
  accountNumber,
  billingDetails,
}: BuyerDetails): string[] {
  const { firstName, lastName, emailAddress, phoneNumber } = billingDetails ?? {};
  const whole = [externalIdentifier, accountNumber, emailAddress, phoneNumber];
  const all = [...whole, displayName, firstName, lastName].flatMap((text) => text ?? []);
  return [...new Set([...whole.flatMap((text) => text ?? []).map(termOf), ...all.flatMap(partsOf)])];
}

/** Each word makes few terms, even a word of punctuation alone. */
const PARTS_MAX = 10;

/** A place where a part of a word begins, behind a sign of punctuation. The function search_parts in SQL does the same. */
const PART = /(?<=[!-/:-@[-`{-~])[^!-/:-@[-`{-~]/gu;

/** Returns the words of a text, and the rest of each word from every sign of punctuation on, as terms. */
export const partsOf = (text: string): string[] =>
  wordsOf(text).flatMap((word) =>
    [0, ...Array.from(word.matchAll(PART), ({ index }) => index)]
      .slice(0, PARTS_MAX)
      .map((start) => word.slice(start)),
  );

/** Splits a search into terms. */
export const wordsOf = (text: string): string[] => text.split(/\s+/u).filter(Boolean).map(termOf);

/** Returns the text in lower case, cut to the maximum length without splitting a character. */
export const termOf = (text: string): string =>
  Array.from(text.trim().toLowerCase()).slice(0, TERM_LENGTH_MAX).join('');
