import { createCipheriv, createDecipheriv, type KeyObject } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
/** The nonce length of GCM. Any other length is hashed down to it. */
export const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts with AES-256-GCM and binds the place into the text: `<iv>.<ciphertext>.<tag>`, each base64url. The iv must
 * never repeat for a key.
 */
export function encrypt(key: KeyObject, place: readonly string[], clear: Buffer, iv: Buffer): string {
  const cipher = createCipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES }).setAAD(
    lengthPrefixed(place),
  );
  const ciphertext = Buffer.concat([cipher.update(clear), cipher.final()]);
  return [iv, ciphertext, cipher.getAuthTag()].map((part) => part.toString('base64url')).join('.');
}

/** Decrypts the result of `encrypt`. Null when a character changed, or when the key or the place differs. */
export function decrypt(key: KeyObject, place: readonly string[], text: string): Buffer | null {
  const [iv, ciphertext, tag, ...rest] = text.split('.').map(decodeCanonical);
  if (!iv || !ciphertext || !tag || rest.length > 0) return null;
  if (iv.length !== IV_BYTES || tag.length !== TAG_BYTES) return null;
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(lengthPrefixed(place)).setAuthTag(tag);
  const clear = decipher.update(ciphertext);
  try {
    return Buffer.concat([clear, decipher.final()]);
  } catch {
    return null;
  }
}

/** Encodes a place as bytes. Lengths come first, so that ["ab", "c"] and ["a", "bc"] are different places. */
export function lengthPrefixed(parts: readonly string[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part, 'utf8');
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

/**
 * Decodes canonical base64url. The last character may carry unused bits. Other spellings are refused, so that no second
 * text opens.
 */
function decodeCanonical(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : null;
}
