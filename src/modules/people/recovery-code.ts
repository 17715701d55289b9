import type { App } from '../../app.ts';
import { digestOf } from '../sessions/index.ts';

/** The number of codes that a person gets. Each replaces a one-time code once. */
const CODES = 10;

/** The letters and digits of Crockford's base 32, without the ones that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstvwxyz0123456789';

/** Draws the recovery codes of a person, such as `8kzt-m2qa-…`. Each has 80 bits. */
export const newRecoveryCodes = ({ ids }: Pick<App, 'ids'>): readonly string[] =>
  Array.from({ length: CODES }, () => {
    const letters = Array.from(ids.random(16), (byte) => ALPHABET[byte % ALPHABET.length]).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });

/** Returns the digest of a recovery code as a person types it. Null for a text that can be none. */
export function recoveryDigest(typed: string): string | null {
  const letters = typed.toLowerCase().replace(/[\s-]/g, '');
  return /^[a-z0-9]{16}$/.test(letters) ? digestOf(letters) : null;
}
