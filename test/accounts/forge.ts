import { createHmac, createPrivateKey, sign } from 'node:crypto';

/** Any value for a token's header or payload. */
export type Part = Readonly<Record<string, unknown>>;

const encode = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

/** Returns the input of a signature. A text stays unchanged, so that it can be invalid JSON. */
export const signingInput = (header: unknown, payload: unknown): string =>
  `${encode(header)}.${encode(payload)}`;

/** Joins the parts of a token without the checks of a library. */
export const assemble = (header: unknown, payload: unknown, signature: Buffer): string =>
  `${signingInput(header, payload)}.${signature.toString('base64url')}`;

/** The way of signing for each kind of key, independent of the header. */
const SIGNING = {
  ES256: { digest: 'sha256', dsaEncoding: 'ieee-p1363' },
  ES512: { digest: 'sha512', dsaEncoding: 'ieee-p1363' },
  EdDSA: { digest: null, dsaEncoding: 'ieee-p1363' },
  RS256: { digest: 'sha256', dsaEncoding: 'der' },
  RS512: { digest: 'sha512', dsaEncoding: 'der' },
} as const;

export type Signing = keyof typeof SIGNING;

/** Signs as the named algorithm does. */
export const signatureOf = (how: Signing, input: string, privateKeyPem: string): Buffer => {
  const { digest, dsaEncoding } = SIGNING[how];
  return sign(digest, Buffer.from(input), { key: createPrivateKey(privateKeyPem), dsaEncoding });
};

/** Signs a token with a private key, with any header and payload. */
export const forge = (how: Signing, privateKeyPem: string, header: unknown, payload: unknown): string =>
  assemble(header, payload, signatureOf(how, signingInput(header, payload), privateKeyPem));

/** Builds a token whose signature is a keyed hash. */
export const forgeHmac = (digest: string, secret: string, header: Part, payload: Part): string =>
  assemble(header, payload, createHmac(digest, secret).update(signingInput(header, payload)).digest());
