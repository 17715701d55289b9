import { createHash } from 'node:crypto';

/** A request as an idempotency key remembers it: digests only, no value. */
export type Fingerprint = {
  /** SHA-256 over all digests. */
  readonly whole: string;
  /** Input path, such as `input.amount`, to the digest of its value. */
  readonly byPath: Readonly<Record<string, string>>;
};

/**
 * Digests a canonical input: validated, defaults filled in, target id included. Key order does not matter; null and
 * left out are the same. Card numbers and secrets must already be keyed digests, security codes must not be in it.
 */
export function fingerprintOf(input: Readonly<Record<string, unknown>>): Fingerprint {
  const byPath: Record<string, string> = {};
  for (const [path, value] of leaves(input, '')) byPath[path] = sha256(JSON.stringify(value)).slice(0, 24);
  return { whole: sha256(JSON.stringify(Object.entries(byPath).sort())), byPath };
}

/** The input paths at which two requests differ, sorted. */
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
