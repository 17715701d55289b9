/**
 * Returns true if a text holds a card number. A card number has a scheme's prefix and length, and a right check digit.
 * Spaces, dots and hyphens may stand between the digits. Ids in hexadecimal, decimal fractions and phone numbers with a
 * plus sign hold none.
 */
export function holdsCardNumber(text: string): boolean {
  const plain = text.normalize('NFKC');
  if (plain.length < SHORTEST) return false;
  return Array.from(plain.replace(HEXADECIMAL, 'x').matchAll(CHAIN), ([chain]) => chain)
    .filter((chain) => !FRACTION.test(chain) && !isPhoneNumber(chain))
    .some((chain) => candidatesOf(chain.match(/\d+/g) ?? []).some(isCardNumber));
}

/** Returns true for digits with the prefix and length of a scheme and a right check digit. */
export const isCardNumber = (digits: string): boolean =>
  SCHEMES.some(([prefix, lengths]) => lengths.includes(digits.length) && prefix.test(digits)) &&
  passesLuhn(digits) &&
  !isArticleNumber(digits);

/** Returns true for a card number of 15, 16 or 19 digits. Schemes issue no other lengths today. */
export const isUsualCardNumber = (digits: string): boolean =>
  USUAL_LENGTHS.has(digits.length) && isCardNumber(digits);

/** Returns true for digits with a right check digit (ISO/IEC 7812-1, Luhn). */
export function passesLuhn(digits: string): boolean {
  const sum = Array.from(digits, Number)
    .toReversed()
    .reduce((total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2), 0);
  return sum % 10 === 0;
}

/** The shortest number. */
const SHORTEST = 13;

/** The longest number. A run of more digits is no card number. */
const LONGEST = 19;

const USUAL_LENGTHS: ReadonlySet<number> = new Set([15, 16, 19]);

const from = (shortest: number): readonly number[] =>
  Array.from({ length: LONGEST - shortest + 1 }, (_, index) => shortest + index);

/** The prefixes and lengths of the schemes. Ranges overlap, because schemes share them. */
const SCHEMES: readonly (readonly [prefix: RegExp, lengths: readonly number[]])[] = [
  // Visa.
  [/^4/, [13, 16, 18, 19]],
  // Mastercard.
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, [16]],
  // American Express.
  [/^3[47]/, [15]],
  // Diners Club. The old numbers have 14 digits.
  [/^(?:30[0-5]|3095|3[689])/, [14, 16, 19]],
  // JCB.
  [/^35(?:2[89]|[3-8])/, from(16)],
  // Discover and UnionPay.
  [/^(?:6011|64[4-9]|65|62|81)/, from(16)],
  // RuPay and Hipercard.
  [/^(?:60|82)/, [16]],
  // Maestro, Dankort and Elo.
  [/^(?:50|5[6-8]|63|67)/, from(13)],
  // Mir.
  [/^220[0-4]/, from(16)],
];

/** A UUID, or a digest or object id of 24 or more hexadecimal digits with a letter. */
const HEXADECIMAL =
  /(?<![0-9a-z])(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|(?=\d*[a-f])[0-9a-f]{24,})(?![0-9a-z])/gi;

/** Groups of digits with a separator between them: up to three spaces, dots, hyphens or invisible characters. */
const CHAIN = /\+?\d+(?:[\s.\p{Pd}\p{Cf}]{1,3}\d+)*/gu;

/** A coordinate, a score or another number with decimals. */
const FRACTION = /^\d{1,3}\.\d+$/;

/** A number in E.164 form has a plus sign and at most 15 digits. */
const isPhoneNumber = (chain: string): boolean =>
  chain.startsWith('+') && chain.replace(/\D/g, '').length <= 15;

/** Returns each group, the whole chain, and neighbouring groups in the shape of a card. */
function candidatesOf(groups: readonly string[]): readonly string[] {
  const shaped = groups.flatMap((_, at) =>
    SHAPES.filter((shape) => shape.every((length, index) => groups[at + index]?.length === length)).map(
      (shape) => groups.slice(at, at + shape.length).join(''),
    ),
  );
  const whole = groups.reduce((total, { length }) => total + length, 0) <= LONGEST ? [groups.join('')] : [];
  return [...groups, ...whole, ...shaped];
}

/** The groups in which cards print their numbers. */
const SHAPES: readonly (readonly number[])[] = [
  [4, 4, 4, 4],
  [4, 4, 4, 4, 1],
  [4, 4, 4, 4, 2],
  [4, 4, 4, 4, 3],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4, 1],
  [8, 8],
  [6, 13],
];

/** Returns true for the 13 digits of an article (GTIN). Its check digit differs from a card's nine times in ten. */
function isArticleNumber(digits: string): boolean {
  if (digits.length !== 13) return false;
  const sum = Array.from(digits, Number).reduce(
    (total, digit, at) => total + digit * (at % 2 === 0 ? 1 : 3),
    0,
  );
  return sum % 10 === 0;
}
