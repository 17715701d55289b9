import { z } from 'zod';
import { isUsualCardNumber } from '../../kernel/account-numbers/card-number.ts';
import { refuseText } from './text.ts';

/** The merchant's own data: any JSON under names. */
export type Metadata = { readonly [name: string]: MetadataValue };
export type MetadataValue = string | number | boolean | null | readonly MetadataValue[] | Metadata;

/** The most names at the top, levels, characters of a name, and bytes of JSON in UTF-8. */
const LIMITS = { names: 50, depth: 10, name: 100, bytes: 32 * 1024 } as const;

/** Checks metadata. The path of a refusal ends at the field, because a name may be anything. */
export const metadata = z.custom<Metadata>(isObject, 'Must be an object.').superRefine((given, context) => {
  const message = refuseMetadata(given);
  if (message) context.addIssue({ code: 'custom', message });
});

/** Returns why metadata may not be stored, or null. */
function refuseMetadata(given: Metadata): string | null {
  if (Object.keys(given).length > LIMITS.names) return `Must have at most ${LIMITS.names} names.`;
  if (Buffer.byteLength(JSON.stringify(given)) > LIMITS.bytes)
    return `Must be at most ${LIMITS.bytes / 1024} KiB of JSON.`;
  return refuseValue(given, 1);
}

function refuseValue(value: MetadataValue, depth: number): string | null {
  if (typeof value === 'string') return refuseText(value, 0, LIMITS.bytes) && TEXT;
  if (typeof value === 'number') return refuseNumber(value);
  if (typeof value !== 'object' || value === null) return null;
  if (depth > LIMITS.depth) return `Must be at most ${LIMITS.depth} levels deep.`;
  for (const [name, inner] of Object.entries<MetadataValue>(value)) {
    if (!Array.isArray(value) && refuseText(name, 1, LIMITS.name)) return NAME;
    const message = refuseValue(inner, depth + 1);
    if (message) return message;
  }
  return null;
}

const NAME = `Each name must be 1 to ${LIMITS.name} characters without control characters.`;
const TEXT = 'Texts must not contain control characters or half a surrogate pair.';

/** JavaScript has already rounded a larger whole number, so it could not be answered as given. */
function refuseNumber(value: number): string | null {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    return 'Whole numbers must be within 2^53. Write a larger number as a text.';
  return isUsualCardNumber(String(Math.abs(value))) ? 'Must not contain a card number.' : null;
}

/**
 * Returns each name's value for the fingerprint of a request, independent of the order of names. A text stays bare. The
 * first character of other values is refused in texts, so no text equals them.
 */
export const canonicalMetadata = (given: Metadata): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : `\u0001${JSON.stringify(value, inOrder)}`,
    ]),
  );

const inOrder = (_: string, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/**
 * Writes metadata as the text of jsonb. Short names come first, and names of one length follow the order of their
 * bytes. Numbers have no exponent.
 */
export function jsonbText(value: MetadataValue): string {
  if (typeof value === 'number') return plainNumber(value);
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(jsonbText).join(', ')}]`;
  const entries = Object.entries(value).map(([name, inner]) => ({ key: Buffer.from(name), name, inner }));
  const sorted = entries.toSorted((a, b) => a.key.length - b.key.length || Buffer.compare(a.key, b.key));
  return `{${sorted.map(({ name, inner }) => `${JSON.stringify(name)}: ${jsonbText(inner)}`).join(', ')}}`;
}

/** Only small fractions have an exponent. Larger numbers than 2^53 are refused. */
function plainNumber(value: number): string {
  const [, sign = '', first = '', rest = '', zeros] =
    /^(-?)(\d)(?:\.(\d+))?e-(\d+)$/.exec(JSON.stringify(value)) ?? [];
  return zeros === undefined
    ? JSON.stringify(value)
    : `${sign}0.${'0'.repeat(Number(zeros) - 1)}${first}${rest}`;
}

const isList = (value: object): value is readonly MetadataValue[] => Array.isArray(value);

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
