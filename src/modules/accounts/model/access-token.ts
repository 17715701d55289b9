import { hash } from 'node:crypto';

/**
 * An access token as a caller sent it, with the SHA-256 digest by which this process remembers it. A text that is too long for a
 * token has no digest.
 */
export type AccessToken = { readonly text: string; readonly digest: string | null };

/** Digests a token. The cache of verified tokens keeps the digest and no text. */
export const digestToken = (text: string): AccessToken => ({
  text,
  digest: text.length > TOKEN_LENGTH_MAX ? null : hash('sha256', text, 'base64url'),
});

/**
 * The longest token. A token with every scope by wildcards has 1400 to 1900 characters. A token with every scope by name and an
 * RSA signature has 3500.
 */
const TOKEN_LENGTH_MAX = 8_192;
