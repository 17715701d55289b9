import { randomBytes, randomInt } from 'node:crypto';

/** Values that must appear nowhere in clear, each made for one use, and where they appear all the same. */
export type Secrets = {
  /** A number of 16 digits that a checksum accepts: of a card, or with another first digit of a gift card. */
  card(first?: string): string;
  /** Four digits. */
  securityCode(): string;
  /** Any text, as a credential has it. */
  text(): string;
  /** Takes up a secret that somebody else made. */
  add(secret: string): string;
  /** The secrets that a text holds: as they are, with signs between, in part, or in another encoding. */
  foundIn(text: string): readonly string[];
};

export function createSecrets(): Secrets {
  const cards = new Set<string>();
  const codes = new Set<string>();
  const texts = new Set<string>();
  // The last digits of a card may be shown, and so must be the code of none.
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
    // Odd, because the numbers that the service itself writes are round.
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

/** More of a number than its first eight and last four digits, which may be shown. */
const PART = 12;

const partsOf = (digits: string): string[] =>
  Array.from({ length: digits.length - PART + 1 }, (_, index) => digits.slice(index, index + PART));

/** Every part of every number in a text, with or without signs between the digits. */
const partsIn = (text: string): ReadonlySet<string> =>
  new Set((text.replace(/[\s.-]/g, '').match(/\d{12,}/g) ?? []).flatMap(partsOf));

/** Hexadecimal, and base64 wherever in a longer text the secret begins. */
function encoded(secret: string): string[] {
  const base64 = [0, 1, 2].map((before) => {
    const text = Buffer.from(`${'.'.repeat(before)}${secret}`).toString('base64');
    // The characters at both ends hold bits of what stands beside it.
    return text.slice(Math.ceil((before * 8) / 6), -4);
  });
  return [Buffer.from(secret).toString('hex'), ...base64];
}
