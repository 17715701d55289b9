import { LOCALE } from '../../design/value.tsx';
import { texts } from '../../texts/texts.ts';

/** A kind of codes: ISO 4217 or ISO 3166-1. */
export type CodeKind = 'currency' | 'region';

const LENGTHS: Readonly<Record<CodeKind, number>> = { currency: 3, region: 2 };

/** Returns the number of letters of a code. */
export const lengthOf = (kind: CodeKind): number => LENGTHS[kind];

const NAMES = {
  currency: new Intl.DisplayNames(LOCALE, { type: 'currency', fallback: 'none' }),
  region: new Intl.DisplayNames(LOCALE, { type: 'region', fallback: 'none' }),
} as const;

/** Splits codes that a person typed, with commas or spaces between. */
export const readCodes = (text: string): readonly string[] => [
  ...new Set(
    text
      .toUpperCase()
      .split(/[\s,;]+/)
      .filter(Boolean),
  ),
];

/** Writes codes as a person types them. */
export const typeCodes = (codes: readonly string[]): string => codes.join(', ');

/** Writes the first codes, and counts the others. */
export function codesOf(codes: readonly string[], most = 4): string {
  const shown = codes.slice(0, codes.length > most + 1 ? most : most + 1);
  const rest = codes.length - shown.length;
  return rest > 0 ? texts.services.andMore(shown.join(', '), rest) : shown.join(', ');
}

/** Returns the name of a code. Undefined for an unknown code. */
export const nameOf = (kind: CodeKind, code: string): string | undefined =>
  code.length === LENGTHS[kind] && /^[A-Z]+$/.test(code) ? NAMES[kind].of(code) : undefined;
