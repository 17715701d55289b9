import { createHash } from 'node:crypto';

/** The digests of a request, as the record of an idempotency key stores them. Holds no value. */
export type Fingerprint = {
  /** The SHA-256 digest of all digests. */
  readonly whole: string;
  /** The digest of each value by input path, such as `input.amount`. */
  readonly byPath: Readonly<Record<string, string>>;
};

/**
 * Digests a canonical input: validated, with defaults and target id. The order of keys does not matter. Null and an
 * absent key are equal. Card numbers and secrets must already be keyed digests. Security codes must be absent.
 */
export function fingerprintOf(input: Readonly<Record<string, unknown>>): Fingerprint {
  const byPath: Record<string, string> = {};
  for (const [path, value] of leaves(input, '')) byPath[path] = sha256(JSON.stringify(value)).slice(0, 24);
  return { whole: sha256(JSON.stringify(Object.entries(byPath).sort())), byPath };
}

/** Returns the input paths at which two requests differ, sorted. */
export function differingPaths(a: Fingerprint['byPath'], b: Fingerprint['byPath']): string[] {
  const paths = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...paths].filter((path) => a[path] !== b[path]).sort();
}

function* leaves(value: unknown, path: string): Generator<readonly [string, unknown]> {
  if (value === null || value === undefined) return;
  if (typeof value !== 'object' || value instanceof Date) {
    yield [path, value];
    return;
  }
  for (const [key, inner] of Object.entries(value))
    yield* leaves(inner, path === '' ? key : `${path}.${key}`);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
