import { holdsCardNumber, isUsualCardNumber } from './card-number.ts';

/**
 * Returns true if an identifier holds a card number that stands alone. Nine in a hundred order
 * numbers of 13 digits have a scheme's prefix and a right check digit by chance. So three things are asked:
 *
 * - 15, 16 or 19 digits of a scheme with a right check digit
 * - a card's own grouping, with one kind of separator, or none, or one between all digits
 * - no letter and no digit before or after, neither directly nor behind a hyphen, an underscore or a dot
 */
export function holdsLoneCardNumber(identifier: string): boolean {
  const plain = identifier.normalize('NFKC');
  return ENOUGH_DIGITS.test(plain) && FORMS.some((form) => Array.from(plain.matchAll(form)).some(isCard));
}

/**
 * Returns true if a name or a text of free JSON holds a card number. A text without white space is an identifier, and
 * any other text is free.
 */
export const holdsCardNumberInData = (text: string): boolean =>
  /\s/.test(text.trim()) ? holdsCardNumber(text) : holdsLoneCardNumber(text);

const isCard = ([, digits = '']: RegExpMatchArray): boolean => isUsualCardNumber(digits.replace(/\D/g, ''));

const SEPARATOR = String.raw`[\s.\p{Pd}\p{Cf}]`;

/** Most identifiers, such as UUIDs, lack a run of so many digits. */
const ENOUGH_DIGITS = new RegExp(String.raw`(?:\d${SEPARATOR}?){15}`, 'u');

/** The groups of a card's digits. */
const GROUPS: readonly (readonly number[])[] = [
  [15],
  [16],
  [19],
  [4, 6, 5],
  [4, 4, 4, 4],
  [4, 4, 4, 4, 3],
  ...[15, 16, 19].map((length) => Array.from({ length }, () => 1)),
];

/** Matches begin at each place, because a card may begin within a match that is none. */
const FORMS: readonly RegExp[] = GROUPS.map(([first = 0, ...others]) => {
  const rest = others.map((length, at) => String.raw`${at === 0 ? `(${SEPARATOR})` : '\\2'}\d{${length}}`);
  const joined = String.raw`[\p{Pd}_.]*`;
  return new RegExp(
    String.raw`(?=\d)(?<![\p{L}\p{N}]${joined})(?=(\d{${first}}${rest.join('')})(?!${joined}[\p{L}\p{N}]))`,
    'gu',
  );
});
