import { randomBytes, randomInt } from 'node:crypto';

/** Values that must appear nowhere in clear text, each made for one use. Finds their leaks. */
export type Secrets = {
  /** Creates a number of 16 digits with a valid checksum. Other first digits make it a gift card's number. */
  card(first?: string): string;
  /** Creates a code of four digits. */
  securityCode(): string;
  /** Creates a text in the form of a credential. */
  text(): string;
  /** Registers a secret from elsewhere. */
  add(secret: string): string;
  /** Lists the secrets in a text: in clear, with separators, in part, or in another encoding. */
  foundIn(text: string): readonly string[];
};

export function createSecrets(): Secrets {
  const cards = new Set<string>();
  const codes = new Set<string>();
  const texts = new Set<string>();
  // The last digits of a card may be shown, so no security code may equal them.
  const isTaken = (secret: string): boolean =>
    codes.has(secret.slice(-4)) || [...cards].some((card) => card.endsWith(secret));
  const keep = (kept: Set<string>, make: () => string): string => {
    const secret = make();
    if (isTaken(secret)) return keep(kept, make);
    kept.add(secret);
    return secret;
  };
  return {
    card: (first = '4') => keep(cards, () => cardNumber(first)),
    // An odd code, because the numbers that the service itself writes are round.
    securityCode: () => keep(codes, () => String(2 * randomInt(3_000, 4_000) + 1)),
    text: () => keep(texts, () => `canary-${randomBytes(12).toString('hex')}`),
    add: (secret) => {
      texts.add(secret);
      return secret;
    },
    foundIn: (text) => {
      const lower = text.toLowerCase();
      const seen = partsIn(text);
      return [
        ...[...cards].filter((card) => partsOf(card).some((part) => seen.has(part))),
        ...[...codes].filter((code) => new RegExp(`(?<![\\w.:-])${code}(?![\\w.:-])`).test(text)),
        ...[...texts].filter((secret) => lower.includes(secret.toLowerCase())),
        ...[...cards, ...texts].filter((secret) => encoded(secret).some((form) => text.includes(form))),
      ];
    },
  };
}

function cardNumber(first: string): string {
  const digits = `${first}${Array.from({ length: 14 }, () => randomInt(10)).join('')}`;
  const sum = Array.from(digits)
    .map((digit, index) => Number(digit) * (index % 2 === 0 ? 2 : 1))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0);
  return `${digits}${(10 - (sum % 10)) % 10}`;
}

/** The first eight and last four digits of a number may be shown. A part this long shows more. */
const PART = 12;

const partsOf = (digits: string): string[] =>
  Array.from({ length: digits.length - PART + 1 }, (_, index) => digits.slice(index, index + PART));

/** Returns every part of every number in a text, with or without separators between the digits. */
const partsIn = (text: string): ReadonlySet<string> =>
  new Set((text.replace(/[\s.-]/g, '').match(/\d{12,}/g) ?? []).flatMap(partsOf));

/** Encodes a secret as hexadecimal, and as base64 for each offset in a longer text. */
function encoded(secret: string): string[] {
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.from(`${'.'.repeat(before)}${secret}`).toString('base64');
    // The characters at both ends hold bits of the neighbouring text.
    return text.slice(Math.ceil((before * 8) / 6), -4);
  });
  return [Buffer.from(secret).toString('hex'), ...base64];
}
