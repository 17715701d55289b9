import { hash } from 'node:crypto';

/** An access token as a caller sent it, with the SHA-256 digest by which this process remembers it. */
export type AccessToken = { readonly text: string; readonly digest: string };

/** Digests a token, so that nothing keeps its text for longer than a connection. */
export const digestToken = (text: string): AccessToken => ({
  text,
  digest: hash('sha256', text, 'base64url'),
});
