import { z } from 'zod';

/** The number of bytes of a master key. */
export const MASTER_KEY_BYTES = 32;

/** Fewer different bytes than these do not come from a generator, whose 32 bytes have some 30 different ones. */
const DIFFERENT_MIN = 20;

/** Reads a master key. Base64 with other characters gives other bytes, so only the length is certain. */
export const decodeMasterKey = (text: string): Buffer => Buffer.from(text, 'base64');

/** True for a text of 32 bytes in base64. */
export const isMasterKey = (text: string): boolean => decodeMasterKey(text).length === MASTER_KEY_BYTES;

/** True for bytes that a person could guess: a repeated pattern, an even row, or a phrase in plain letters. */
function isGuessable(key: Uint8Array): boolean {
  const steps = key.slice(1).map((byte, index) => byte - (key[index] ?? 0));
  return (
    new Set(key).size < DIFFERENT_MIN ||
    new Set(steps).size === 1 ||
    key.every((byte) => byte >= 0x20 && byte < 0x7f)
  );
}

/** The setting of the key that seals. A former key may be guessable, so that its values can be sealed anew. */
export const masterKeySetting = z
  .string()
  .refine(isMasterKey, 'must be 32 bytes in base64')
  .refine(
    (text) => !isMasterKey(text) || !isGuessable(decodeMasterKey(text)),
    'can be guessed. Make a random one with: openssl rand -base64 32. Keep the former one in PAYGRAPH_MASTER_KEY_PREVIOUS until rotate-keys has run',
  );
